import ExporterOperations
import ExporterRows
import ExporterSupport
import GRDB
import HTTPTypes
import Hummingbird
import Lanes
import Models
import ServiceKit
import Storage
import SubjectRights
import TemporaryFiles
import Testing

@testable import AnalyticsExporter
@testable import ExporterStores

/// What changes while a file is made or somebody asks, and settings that change.
extension ExportTests {
    private func jobs(_ exporter: TestExporter) throws -> ExportJobs {
        try ExportJobs(
            exporter.folder.exports!, rows: exporter.folder.files.opener, state: exporter.folder.database.reader(),
            pseudonymKey: exporter.effects.pseudonymKey, days: 31)
    }

    /// Its rows may have been read of a file that was unlinked meanwhile, and nothing else may have changed since.
    @Test func `a file of a day that went is not taken`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory, ["NKUL_EXPORTER_EXPORT_DAYS": "31"])
        _ = try await exporter.exports()
        exporter.effects.appliedAll(before: exporter.clock.now)
        let jobs = try jobs(exporter), shelf = exporter.folder.exports!
        for (hour, mayBe) in [(Self.firstHour, false), (Self.firstHour + 48, true)] {
            let maker = ExportMaker(
                shelf, exporter.folder.files.opener, pseudonymKey: exporter.effects.pseudonymKey)
            let draft = try #require(
                try maker.make(hour, of: .builtIn, shelf.begin(hour), now: exporter.clock.now))
            #expect(draft.export.rows > 0)
            try exporter.folder.files.retire("2026-02-27")
            let job = jobs.entering(ExportDraft(export: draft.export, source: .rows(shelf.begin(hour))))
            #expect(try exporter.changes.submitWaiting(job.change) == mayBe)
            try jobs.end()
        }
        #expect(try exporter.exportFiles == ["0-1-reports-2026-03-01T00.csv.gz"])
    }

    @Test func `who was removed meanwhile is no reader`() async throws {
        let directory = try TemporaryDirectory(), exporter = try filled(directory)
        _ = try await exporter.tenant("mtn", ["62401"])
        let number = try #require(try exporter.folder.database.read { try TenantStore.living($0).first?.number })
        for (isThere, expected) in [(true, [number]), (false, [])] {
            if !isThere { _ = try await exporter.tenantCalls.remove(["name": .string("mtn")]) }
            let readers = try exporter.changes.submitWaiting { db, now in
                try ExportStore.noteReader(number, now: now, db)
                return (try ExportStore.readers(db), [])
            }
            #expect(readers == expected)
        }
    }

    /// Also where little is to be written.
    @Test func `a file is left before the next block`() async throws {
        let directory = try TemporaryDirectory(), exporter = try filled(directory)
        let shelf = exporter.folder.exports!
        let maker = ExportMaker(
            shelf, exporter.folder.files.opener, pseudonymKey: exporter.effects.pseudonymKey)
        var asked = 0
        // Its rows are in two blocks.
        let hour = Self.firstHour + 1
        let draft = try maker.make(hour, of: .builtIn, shelf.begin(hour), now: 0) {
            asked += 1
            return asked < 2
        }
        #expect(draft == nil && asked == 2)
        try shelf.end()
    }

    @Test func `when more days are kept the older ones are made`() async throws {
        let directory = try TemporaryDirectory(), few = try filled(directory, ["NKUL_EXPORTER_EXPORT_DAYS": "1"])
        _ = try await few.exports()
        try few.export()
        #expect(try few.exportFiles.count == 35)
        few.end()
        let many = try TestExporter(directory, settings: ["NKUL_EXPORTER_EXPORT_DAYS": "7"])
        many.effects.appliedAll(before: many.clock.now)
        // Until the older ones are there, the list says how far it is complete.
        #expect(try many.exportThread.step())
        #expect(try await many.exports().complete_to_ms == Self.start + ReceivedHour.milliseconds)
        try many.export()
        try await many.expectExports(through: Self.firstHour + 59)
        #expect(try await many.exports().complete_to_ms == Self.start + 59 * ReceivedHour.milliseconds)
    }

    /// The key by which a list is signed is announced with the first list, whether there are files or not.
    @Test func `the key is announced before there are files`() async throws {
        let directory = try TemporaryDirectory(), exporter = try TestExporter(directory)
        #expect(try exporter.worker.keys().filter { $0.use == .exports }.isEmpty)
        for _ in 0..<2 {
            #expect(try await exporter.exports().files.isEmpty)
            #expect(try exporter.worker.keys().filter { $0.use == .exports }.count == 1)
        }
    }

    @Test func `a day is made anew when an hour of it has other bytes`() async throws {
        let directory = try TemporaryDirectory(), exporter = try filled(directory)
        _ = try await exporter.exports()
        try exporter.export()
        // As if columns had been printed otherwise.
        _ = try exporter.changes.submitWaiting { db, _ in
            try db.execute(
                sql: "UPDATE exports SET stale_at = 0, sha256 = zeroblob(32) WHERE hours = 1 AND start = ?",
                arguments: [Self.firstHour + 1])
            return (true, [])
        }
        exporter.clock.advance(by: ExportJobs.settling)
        #expect(try exporter.export() == 1)
        exporter.clock.advance(by: ExportJobs.settling)
        #expect(try exporter.export() == 1)
        try await exporter.expectExports(through: Self.firstHour + 59)
    }

    /// A day without rows goes with those before it, so that nothing of it waits to be made.
    @Test func `days without rows go with those before them`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory, settings: ["NKUL_EXPORTER_EXPORT_DAYS": "31"])
        var lane = TestLane(.batch), privacy = TestLane(.privacy)
        for minute: Int64 in [5, 2 * 1_440 + 5] { try exporter.take([try lane.block([row(1, minute)])]) }
        _ = try await exporter.exports()
        try exporter.export()
        #expect(try exporter.exportFiles.count == 59)
        try exporter.take([try privacy.block(kind: .retentionOrder, .documents([Self.order(rawDays: 1)]))])
        for _ in 0..<30 {
            exporter.clock.advance(by: 1_000)
            try exporter.settle()
        }
        _ = try exporter.changes.submitWaiting { db, _ in (try ExportStore.invalidateAll(db), []) }
        exporter.clock.advance(by: ExportJobs.settling)
        try exporter.export()
        #expect(try await exporter.exports().files.first?.name == "reports-2026-03-01T00.csv.gz")
        try await exporter.expectExports(through: Self.firstHour + 59)
    }

    static func order(rawDays: Int) -> (key: String, document: RetentionOrderDocument) {
        let order = RetentionOrderDocument(
            issuedAt: start + 3 * 86_400_000, isDryRun: false, source: .schedule,
            days: [.rawRows: rawDays, .failedAuthentications: 30, .erasureNotices: 365])
        return (order.key, order)
    }

    /// Whoever has begun to read a day after it was planned to go is told when it is gone.
    @Test func `the end of a days file is told`() throws {
        let directory = try TemporaryDirectory(), exporter = try filled(directory)
        var told: [[String]] = []
        let retention = RawRowRetention(
            exporter.folder.files, exporter.folder.database, retired: { _, _, _ in }, gone: { told.append($0) })
        try retention.committed()
        try exporter.folder.database.write { try RawRetirements.add("2026-02-27", $0) }
        try retention.committed()
        try retention.committed()
        #expect(told == [[], ["2026-02-27"], []])
    }

    @Test func `what cannot be announced is tried later`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory, limits: LaneLimits(maximumBytes: 300))
        _ = try await exporter.tenant("mtn", ["62401"])
        let answer = await exporter.request("/v1/exports")
        #expect(answer.status == .serviceUnavailable && answer.headers[.retryAfter] == "30")
    }
}
