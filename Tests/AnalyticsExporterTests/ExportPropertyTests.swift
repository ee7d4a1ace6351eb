import ExporterOperations
import ExporterSupport
import Foundation
import GRDB
import Lanes
import Models
import QoE
import Seeds
import Storage
import SubjectRights
import TemporaryFiles
import Testing

@testable import AnalyticsExporter
@testable import ExporterRows
@testable import ExporterStores

/// Random rows, late ones too, erasures, crashes and hours that go by: whenever an erasure is signed no file has anything of it,
/// and in the end every file has what a download of all rows has of its hours.
@Suite struct ExportPropertyTests {
    private static let start = ExportTests.start

    /// What outlives an exporter.
    private struct World {
        var random: SplitMix64
        var lane = TestLane(.batch)
        var orders = TestOrders()
        /// Blocks that were not seen to be committed, in order.
        var unsettled: [LaneBlock] = []
        var seq: Int64 = 0
        var erased: Set<Int64> = []
        /// Moved on by every life's clock.
        var now = ExportTests.start
        var events: Set<String> = []
        var tokens: [String] = []
    }

    @Test(arguments: 1...UInt64(Seeds.share(of: 60)))
    func `files follow the rows`(seed: UInt64) async throws {
        var world = World(random: SplitMix64(seed: seed))
        let directory = try TemporaryDirectory(inMemory: true)
        var exporter = try TestExporter(directory)
        exporter.clock.advance(by: world.now - exporter.clock.now)
        for (name, plmn) in [("mtn", "62401"), ("orange", "62402")] {
            let token = try await exporter.tenant(name, [plmn])
            _ = try await exporter.exports(token)
            world.tokens.append(token)
        }
        for _ in 0..<70 {
            do { try await happen(exporter, &world) } catch is TestCrash.Died {
                exporter = try await restart(exporter, directory, &world)
            } catch {
                // What waits in the queue when the engine dies is told that it stops, not why.
                exporter = try await restart(exporter, directory, &world)
            }
        }
        exporter = try await restart(exporter, directory, &world)
        try settle(exporter, &world)
        exporter.clock.advance(by: 3 * ExportJobs.settling)
        try exporter.export()
        for token in world.tokens {
            try await exporter.expectExports(
                token, through: ReceivedHour.number(of: exporter.clock.now - 60_000), "seed \(seed): \(world.events)")
        }
        #expect(try exporter.exportFiles.count == (try await listed(exporter, world)))
        exporter.end()
    }

    private func listed(_ exporter: TestExporter, _ world: World) async throws -> Int {
        var count = 0
        for token in world.tokens { count += try await exporter.exports(token, "?period=hour").files.count }
        return count
    }

    private func happen(_ exporter: TestExporter, _ world: inout World) async throws {
        switch Int.random(in: 0..<10, using: &world.random) {
        case 0...3:
            world.unsettled.append(try world.lane.block(rows(&world)))
            try exporter.take([world.unsettled.last!])
            world.unsettled = []
        case 4, 5:
            pass(Int64.random(in: 1...90, using: &world.random) * 60_000, exporter, &world)
            try exporter.export(atMost: Int.random(in: 0...6, using: &world.random))
        case 6: try erase(exporter, &world)
        case 7:
            exporter.folder.database.add(TestCrash(after: Int.random(in: 0...4, using: &world.random)))
            world.events.insert("crash")
        case 8: try eraseWhileOneIsMade(exporter, &world)
        default: try settle(exporter, &world)
        }
    }

    /// Rows of now, of before, and of devices that are erased already: those the lanes no longer bring.
    private func rows(_ world: inout World) -> [TestRow] {
        (0..<Int.random(in: 1...9, using: &world.random)).compactMap { _ in
            let device = Int64.random(in: 1...12, using: &world.random)
            world.seq += 1
            guard !world.erased.contains(device) else { return nil }
            let isLate = Int.random(in: 0..<4, using: &world.random) == 0
            let back = isLate ? Int64.random(in: 0...40, using: &world.random) * 400_000 : 0
            let received = max(Self.start, world.now - back)
            return TestRow(
                device: device, received: received, captured: received - 10, seq: world.seq,
                values: [ColumnID.mcc: 624, ColumnID.mnc: device % 3 == 0 ? 2 : 1, ColumnID.download: world.seq])
        } + [filler(&world)]
    }

    /// A row that nobody erases.
    private func filler(_ world: inout World) -> TestRow {
        world.seq += 1
        return TestRow(
            device: 99, received: world.now, captured: world.now, seq: world.seq,
            values: [ColumnID.mcc: 624, ColumnID.mnc: 1])
    }

    private func erase(_ exporter: TestExporter, _ world: inout World) throws {
        let device = Int64.random(in: 1...12, using: &world.random)
        guard world.erased.insert(device).inserted else { return }
        world.unsettled += try world.orders.blocks([.of(UInt64(device), request: "r\(device)")])
        try exporter.take(world.unsettled)
        world.unsettled = []
    }

    /// The next file of a tenant is being made while rows go, and would be entered when they are gone, or about to go.
    private func eraseWhileOneIsMade(_ exporter: TestExporter, _ world: inout World) throws {
        let shelf = exporter.folder.exports!
        let (tenant, next) = try exporter.folder.database.read { db in
            let tenant = try TenantStore.living(db)[0].asTenant
            return (tenant, try ExportStore.complete(of: tenant.number, db))
        }
        guard let next, next < shelf.closed else { return }
        let maker = ExportMaker(
            shelf, exporter.folder.files.opener, pseudonymKey: exporter.effects.pseudonymKey)
        let ticket = shelf.begin(next)
        defer { try? shelf.end() }
        let draft = try maker.make(next, of: tenant, ticket, now: world.now)
        if Bool.random(using: &world.random) { try erase(exporter, &world) }
        try exporter.settle(atMost: Int.random(in: 0...4, using: &world.random))
        guard let draft else { return }
        let isIn = try exporter.changes.submitWaiting { db, now in (try shelf.enter(draft, now: now, db), []) }
        world.events.insert(isIn ? "entered" : "changed while one was made")
    }

    private func pass(_ time: Int64, _ exporter: TestExporter, _ world: inout World) {
        exporter.clock.advance(by: time)
        world.now += time
    }

    /// Everything that is ordered is done; what is signed then is true.
    private func settle(_ exporter: TestExporter, _ world: inout World) throws {
        pass(2_000, exporter, &world)
        try exporter.settle()
        pass(2_000, exporter, &world)
        try exporter.settle()
        try checkSigned(exporter, &world)
    }

    /// No file has a row of anybody whose erasure is signed; found by the value that each row has for itself.
    private func checkSigned(_ exporter: TestExporter, _ world: inout World) throws {
        let signed = Set(try exporter.worker.receipts().compactMap { Int64($0.request.dropFirst()) })
        guard !signed.isEmpty else { return }
        world.events.insert("signed")
        let shelf = exporter.folder.exports!, place = RawRowLayout(.qoe).columns.firstIndex { $0.name == "device" }!
        let current = try exporter.folder.database.read { try ExportStore.current($0) }
        let day = { (hour: Int64) in ReceivedDay.text(of: ReceivedHour.day(of: hour)) }
        for export in current {
            let parts = ExportParts([export], shelf)
            var bytes: [UInt8] = []
            while bytes.count < Int(parts.length) { bytes += try #require(try parts.read(from: Int64(bytes.count))) }
            let tenants = try exporter.folder.database.read { try TenantStore.living($0).map(\.asTenant) }
            var names = Pseudonyms(
                key: exporter.effects.pseudonymKey, tenant: tenants.first { $0.number == export.tenant } ?? .builtIn)
            let gone = Set(
                signed.map { String(decoding: names.text(of: $0, day: day(export.span.start)), as: UTF8.self) })
            let text = String(decoding: try TestExporter.inflated(bytes), as: UTF8.self)
            for line in text.split(separator: "\r\n") {
                let device = line.split(separator: ",", omittingEmptySubsequences: false)[place]
                #expect(!gone.contains(String(device)), "\(export.span.name) has a row that is erased")
            }
        }
        #expect(try exporter.exportFiles.count == current.count)
    }

    private func restart(
        _ exporter: TestExporter, _ directory: TemporaryDirectory, _ world: inout World
    ) async throws -> TestExporter {
        exporter.end()
        let new = try TestExporter(directory)
        new.clock.advance(by: world.now - new.clock.now)
        world.events.insert("restart")
        if !world.unsettled.isEmpty {
            try new.take(world.unsettled)
            world.unsettled = []
        }
        new.effects.appliedAll(before: world.now)
        return new
    }
}
