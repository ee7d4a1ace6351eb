import Crypto
import ExporterOperations
import ExporterRows
import ExporterSupport
import Foundation
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

@Suite struct ExportTests {
    /// 2026-02-27T00:00:00Z, sixty hours before the tests' now.
    static let start: Int64 = 1_772_150_400_000
    static let firstHour = ReceivedHour.number(of: start)

    /// A row received so many minutes after the start.
    func row(_ device: Int64, _ minute: Int64, sim: Int64 = 1, isShared: Bool = true) -> TestRow {
        var values: [UInt8: Int64] = [ColumnID.mcc: 624, ColumnID.mnc: sim, ColumnID.download: minute]
        if !isShared { values[ColumnID.flags] = RowFlags.notForOperators.rawValue }
        let received = Self.start + minute * 60_000
        return TestRow(device: device, received: received, captured: received - 500, seq: minute + 1, values: values)
    }

    /// Rows every seven minutes over fifty hours, of 9 devices and two networks, in blocks that lie across hours and midnights.
    func filled(
        _ directory: TemporaryDirectory, _ settings: [String: String] = [:], sealer: BlockSealer? = nil
    ) throws -> TestExporter {
        var lanes = Self.lanes
        return try filled(TestExporter(directory, sealer: sealer, settings: settings), &lanes)
    }

    private static var lanes: [TestLane] { [TestLane(.realtime, generation: 1), TestLane(.batch, generation: 2)] }

    private func filled(_ exporter: TestExporter, _ lanes: inout [TestLane]) throws -> TestExporter {
        let rows = (Int64(0)..<420).map { (place: Int64) -> TestRow in
            row(place % 9, place * 7, sim: place % 3 == 0 ? 2 : 1, isShared: place % 5 != 0)
        }
        for (place, first) in stride(from: 0, to: rows.count, by: 11).enumerated() {
            try exporter.take([try lanes[place % 2].block(Array(rows[first..<min(first + 11, rows.count)]))])
        }
        return exporter
    }

    @Test(arguments: ExportFileTests.sealers)
    func `hours and days have the rows that were received in them`(sealer: BlockSealer?) async throws {
        let directory = try TemporaryDirectory(), exporter = try filled(directory, sealer: sealer)
        let mtn = try await exporter.tenant("mtn", ["62401"]), orange = try await exporter.tenant("orange", ["62402"])
        for token in [mtn, orange, exporter.token] { #expect(try await exporter.exports(token).files.isEmpty) }
        try exporter.export()
        // Sixty hours are over, but the last one's rows may still be on their way.
        for token in [mtn, orange, exporter.token] {
            try await exporter.expectExports(token, through: Self.firstHour + 59)
            let list = try await exporter.exports(token)
            let end = Self.start + 59 * ReceivedHour.milliseconds
            let starts = [Int64](stride(from: Self.start, to: end, by: Int(ReceivedHour.milliseconds)))
            let found = list.files.filter { $0.period == "hour" }.map(\.from_ms)
            #expect(found == starts)
            #expect(
                list.files.filter { $0.period == "day" }.map(\.name) == [
                    "reports-2026-02-27.csv.gz", "reports-2026-02-28.csv.gz",
                ])
            #expect(list.files.allSatisfy { $0.version == 1 })
        }
        let all = try await exporter.exports(exporter.token, "?period=hour").files
        #expect(all.compactMap(\.rows).reduce(0, +) == 420)
        #expect(try exporter.exportFiles.count == 3 * 59)
        // Nothing is made twice, and the next hour is when a minute of the one after it has gone.
        #expect(try exporter.export() == 0)
        exporter.clock.advance(by: 60_000)
        #expect(try exporter.export() == 3)
    }

    @Test func `files are made for those who ask and as long as they do`() async throws {
        let directory = try TemporaryDirectory(), exporter = try filled(directory)
        let mtn = try await exporter.tenant("mtn", ["62401"]), orange = try await exporter.tenant("orange", ["62402"])
        try exporter.export()
        #expect(try exporter.exportFiles.isEmpty)
        _ = try await (exporter.exports(mtn), exporter.exports(orange))
        try exporter.export()
        #expect(try exporter.exportFiles.count == 2 * 59)
        let calls = exporter.tenantCalls
        _ = try await calls.remove(["name": .string("orange")])
        #expect(try exporter.exportFiles.count == 59)
        exporter.clock.advance(by: 30 * 86_400_000 + 1)
        try exporter.export()
        #expect(try exporter.exportFiles.isEmpty)
        // Whoever comes back gets what is still kept.
        #expect(try await exporter.exports(mtn).files.isEmpty)
        try exporter.export()
        #expect(try await exporter.exports(mtn).files.first?.name == "reports-2026-03-24T00.csv.gz")
    }

    @Test func `files go when their time is over`() async throws {
        let directory = try TemporaryDirectory(), exporter = try filled(directory, ["NKUL_EXPORTER_EXPORT_DAYS": "1"])
        _ = try await exporter.exports()
        try exporter.export()
        let second = Self.start + 86_400_000
        #expect(try await exporter.exports().files.first?.from_ms == second)
        exporter.clock.advance(by: 86_400_000)
        try exporter.export()
        let list = try await exporter.exports()
        #expect(list.files.allSatisfy { $0.from_ms >= second + 86_400_000 } && list.kept_days == 1)
        #expect(try exporter.exportFiles.count == list.files.count { $0.period == "hour" })
    }

    @Test func `without days nothing is made and whoever asks is told`() async throws {
        let directory = try TemporaryDirectory(), exporter = try filled(directory)
        _ = try await exporter.exports()
        try exporter.export()
        #expect(try exporter.exportFiles.count == 59)
        exporter.end()
        let off = try TestExporter(directory, settings: ["NKUL_EXPORTER_EXPORT_DAYS": "0"])
        for path in ["", ".jws", "/reports-2026-02-27.csv.gz"] {
            let response = await off.request("/v1/exports" + path)
            #expect(response.status == .notFound)
            #expect(String(decoding: try await response.bytes(), as: UTF8.self).contains("NKUL_EXPORTER_EXPORT_DAYS"))
        }
        try off.export()
        #expect(try off.exportFiles.isEmpty)
    }

    @Test func `the list can be narrowed and paged`() async throws {
        let directory = try TemporaryDirectory(), exporter = try filled(directory)
        _ = try await exporter.exports()
        try exporter.export()
        let all = try await exporter.exports().files
        #expect(try await exporter.exports(nil, "?period=day").files == all.filter { $0.period == "day" })
        let to = Self.start + 26 * 3_600_000
        #expect(
            try await exporter.exports(nil, "?period=hour&from=\(Self.start + 1)&to=\(to)").files
                == all.filter { $0.period == "hour" && $0.from_ms > Self.start && $0.from_ms < to })
        var paged: [ListedExport] = [], next: String? = ""
        while let cursor = next {
            let page = try await exporter.exports(nil, "?limit=7" + (cursor.isEmpty ? "" : "&cursor=\(cursor)"))
            paged += page.files
            next = page.next
        }
        #expect(paged == all)
        for query in ["?period=week", "?cursor=x", "?limit=0", "?from=b", "?sort=1"] {
            #expect(await exporter.request("/v1/exports" + query).status == .badRequest)
        }
    }

    @Test func `the list is signed`() async throws {
        let directory = try TemporaryDirectory(), exporter = try filled(directory)
        _ = try await exporter.exports()
        try exporter.export()
        let response = await exporter.request("/v1/exports.jws?period=day")
        #expect(response.headers[.contentType] == "application/jose")
        let text = String(decoding: try await response.bytes(), as: UTF8.self).trimmingCharacters(in: .newlines)
        let published = try exporter.worker.keys().filter { $0.use == .exports }
        let key = try #require(published.first), signed = try #require(CompactJWS(text))
        #expect(published.count == 1 && key.service == "analytics-exporter")
        #expect(signed.text == text && key.verifies(signed, for: .exports) && !key.verifies(signed, for: .auditHeads))
        // As anybody reads it who has a library for it.
        let raw = try Curve25519.Signing.PublicKey(rawRepresentation: Hexadecimal.bytes(key.publicKey)!)
        let parts = text.split(separator: ".").map(String.init)
        #expect(raw.isValidSignature(signed.signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
        #expect(
            Data(base64Encoded: parts[0] + "==").map { String(decoding: $0, as: UTF8.self) }?.contains(key.keyID)
                == true)
        let list = try JSONDecoder().decode(ExportList.self, from: Data(signed.payload))
        #expect(try await list.files == exporter.exports(nil, "?period=day").files && list.tenant == "regulator")
    }

    @Test func `parts of a file can be fetched`() async throws {
        let directory = try TemporaryDirectory(), exporter = try filled(directory)
        _ = try await exporter.exports()
        try exporter.export()
        let day = try #require(try await exporter.exports(nil, "?period=day").files.first)
        let whole = try await exporter.download(day.name).bytes(), tag = "\"\(day.sha256!)\""
        func fetch(_ range: String, _ more: HTTPFields = [:]) async throws -> (HTTPResponse.Status, String?, [UInt8]) {
            let response = await exporter.download(day.name, nil, [.range: range] + more)
            return (response.status, response.headers[.contentRange], try await response.bytes())
        }
        let size = whole.count
        for (range, expected) in [
            ("bytes=0-99", 0..<100), ("bytes=1000-", 1_000..<size), ("bytes=-70", size - 70..<size),
            ("bytes=500-9999999", 500..<size), ("bytes=\(size - 1)-", size - 1..<size),
        ] {
            let (status, place, bytes) = try await fetch(range)
            #expect(status == .partialContent && bytes == Array(whole[expected]), "\(range)")
            #expect(place == "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/\(size)")
        }
        #expect(try await fetch("bytes=\(size)-").0 == .rangeNotSatisfiable)
        #expect(try await fetch("bytes=-0").0 == .rangeNotSatisfiable)
        for range in ["bytes=5-2", "rows=1-2", "bytes=0-1,5-6", "bytes=-", "bytes=a-b"] {
            #expect(try await fetch(range).2 == whole, "\(range)")
        }
        #expect(try await fetch("bytes=0-9", [.ifRange: tag]).0 == .partialContent)
        #expect(try await fetch("bytes=0-9", [.ifRange: "\"other\""]).2 == whole)
        #expect(await exporter.download(day.name, nil, [.ifNoneMatch: tag]).status == .notModified)
        #expect(await exporter.download(day.name, nil, [.ifNoneMatch: "\"other\""]).status == .ok)
        let headers = await exporter.download(day.name).headers
        #expect(headers[.eTag] == tag && headers[.contentType] == "application/gzip")
        #expect(headers[.reprDigest] == "sha-256=:\(Data(SHA256.hash(data: whole)).base64EncodedString()):")
    }

    @Test func `rows that come late make another version`() async throws {
        var lanes = Self.lanes
        let directory = try TemporaryDirectory(), exporter = try filled(TestExporter(directory), &lanes)
        _ = try await exporter.exports()
        try exporter.export()
        let before = try await exporter.exports().files
        try exporter.take([try lanes[1].block([row(3, 125), row(3, 1_445)])])
        let stale = try await exporter.exports().files.filter { $0.state == "rewriting" }.map(\.name)
        #expect(
            Set(stale) == [
                "reports-2026-02-27.csv.gz", "reports-2026-02-27T02.csv.gz", "reports-2026-02-28.csv.gz",
                "reports-2026-02-28T00.csv.gz",
            ])
        #expect(await exporter.download(stale[0]).status == .serviceUnavailable)
        #expect(try exporter.export() == 0)
        exporter.clock.advance(by: ExportJobs.settling)
        #expect(try exporter.export() == 4)
        try await exporter.expectExports(through: Self.firstHour + 59)
        for (old, new) in zip(before, try await exporter.exports().files) {
            #expect(new.version == (stale.contains(new.name) ? 2 : 1) && new.name == old.name)
            #expect(stale.contains(new.name) || new == old)
        }
    }

    @Test(arguments: ExportFileTests.sealers)
    func `erased rows are in no file when the erasure is signed`(sealer: BlockSealer?) async throws {
        let directory = try TemporaryDirectory(), exporter = try filled(directory, sealer: sealer)
        let mtn = try await exporter.tenant("mtn", ["62401"]), orange = try await exporter.tenant("orange", ["62402"])
        for token in [mtn, orange, exporter.token] { _ = try await exporter.exports(token) }
        try exporter.export()
        let before = try await exporter.exports(orange).files
        exporter.clock.advance(by: 2_000)
        var orders = TestOrders()
        // Device 1 never was with Orange.
        try exporter.erase([.of(1)], &orders)
        #expect(try exporter.worker.receipts().count == 1)
        let stale = try await exporter.exports(mtn).files.filter { $0.state == "rewriting" }
        #expect(!stale.isEmpty)
        for file in stale { #expect(await exporter.download(file.name, mtn).status == .serviceUnavailable) }
        let hours = try await exporter.exports(exporter.token).files.count {
            $0.period == "hour" && $0.state == "current"
        }
        #expect(try exporter.exportFiles.filter { $0.hasPrefix("0-") }.count == hours)
        #expect(try await exporter.exports(orange).files == before)
        exporter.clock.advance(by: ExportJobs.settling)
        try exporter.export()
        for token in [mtn, orange, exporter.token] {
            try await exporter.expectExports(token, through: Self.firstHour + 59)
        }
        let rewritten = Set(stale.map(\.name))
        for file in try await exporter.exports(mtn).files {
            #expect(file.version == (rewritten.contains(file.name) ? 2 : 1), "\(file.name)")
        }
    }

    /// An erasure while a file is being made that has the rows: it does not sign as long as that is there, and it is not taken.
    @Test func `a file that is being made waits for no erasure`() async throws {
        let directory = try TemporaryDirectory(), exporter = try filled(directory)
        _ = try await exporter.exports()
        exporter.effects.appliedAll(before: exporter.clock.now)
        exporter.clock.advance(by: 2_000)
        let shelf = exporter.folder.exports!
        let maker = ExportMaker(
            shelf, exporter.folder.files.opener, pseudonymKey: exporter.effects.pseudonymKey)
        let ticket = shelf.begin(Self.firstHour + 1)
        let draft = try #require(try maker.make(Self.firstHour + 1, of: .builtIn, ticket, now: exporter.clock.now))
        #expect(draft.export.rows > 5)
        var orders = TestOrders()
        try exporter.take(try orders.blocks([.of(2)]))
        try exporter.settle()
        #expect(try exporter.worker.receipts().isEmpty, "signed while the file is there")
        let isIn = try exporter.changes.submitWaiting { db, now in (try shelf.enter(draft, now: now, db), []) }
        #expect(!isIn, "rows that are gone were exported")
        try shelf.end()
        #expect(try exporter.exportFiles.isEmpty)
        exporter.clock.advance(by: 2_000)
        try exporter.settle()
        #expect(try exporter.worker.receipts().count == 1)
        try exporter.export()
        try await exporter.expectExports(through: Self.firstHour + 59)
    }

    /// The same, begun and ended at any step of an erasure: what was planned to go and is there still is not exported.
    @Test(arguments: 0...6)
    func `a file is made at no step of an erasure with its rows`(steps: Int) async throws {
        let directory = try TemporaryDirectory(), exporter = try filled(directory)
        _ = try await exporter.exports()
        exporter.effects.appliedAll(before: exporter.clock.now)
        exporter.clock.advance(by: 2_000)
        var orders = TestOrders()
        try exporter.take(try orders.blocks([.of(2)]))
        try exporter.settle(atMost: steps)
        let shelf = exporter.folder.exports!, ticket = shelf.begin(Self.firstHour)
        let maker = ExportMaker(
            shelf, exporter.folder.files.opener, pseudonymKey: exporter.effects.pseudonymKey)
        let draft = try #require(try maker.make(Self.firstHour, of: .builtIn, ticket, now: exporter.clock.now))
        // The queue is served by the step that makes the erasure go on.
        _ = try exporter.changes.submitWaiting { db, now in (try shelf.enter(draft, now: now, db), []) }
        try shelf.end()
        exporter.clock.advance(by: ExportJobs.settling)
        try exporter.settle()
        exporter.clock.advance(by: ExportJobs.settling)
        try exporter.export()
        #expect(try exporter.worker.receipts().count == 1)
        try await exporter.expectExports(through: Self.firstHour + 59)
    }

    /// A client that is slow gets nothing of a file whose rows were erased since it began.
    @Test func `a download ends when rows of its file are erased`() async throws {
        let directory = try TemporaryDirectory(), exporter = try TestExporter(directory)
        var lane = TestLane(.batch)
        for minute in Int64(0)..<50 {
            // Random texts do not compress, so that the file has several chunks.
            try exporter.take([
                try lane.block(
                    (Int64(0)..<60).map { place in
                        var row = row(place, minute)
                        row.seq = minute * 100 + place
                        row.comment = Secret.text()
                        return row
                    })
            ])
        }
        _ = try await exporter.exports()
        try exporter.export()
        let file = try #require(try await exporter.exports().files.first)
        #expect(file.bytes! > 2 * ExportFile.chunk)
        let response = await exporter.download(file.name)
        let (news, feed) = AsyncStream<[UInt8]>.makeStream()
        let pieces = PausedBody(feed)
        let task = Task { try await response.body.write(pieces) }
        var received = 0
        for await piece in news {
            received += piece.count
            exporter.clock.advance(by: 2_000)
            var orders = TestOrders()
            try exporter.erase([.of(2)], &orders)
            #expect(try exporter.worker.receipts().count == 1)
            pieces.goOn()
            break
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(received == Int(ExportFile.chunk) && pieces.count == 1)
    }

    @Test func `no tenant reaches anothers files`() async throws {
        let directory = try TemporaryDirectory(), exporter = try filled(directory)
        let mtn = try await exporter.tenant("mtn", ["62401"]), orange = try await exporter.tenant("orange", ["62402"])
        _ = try await exporter.exports(mtn)
        try exporter.export()
        let file = try #require(try await exporter.exports(mtn).files.first)
        #expect(await exporter.download(file.name, orange).status == .notFound)
        #expect(await exporter.request("/v1/exports", headers: [:]).status == .unauthorized)
        for name in ["..", "../raw/2026-02-27.sqlite", "%2e%2e", "1-1-\(file.name)", ""] {
            #expect(await exporter.download(name, mtn).status == .notFound)
        }
        #expect(await exporter.request(.post, "/v1/exports/\(file.name)").status == .methodNotAllowed)
    }

    @Test func `files of a day go with its raw rows`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try filled(directory, ["NKUL_EXPORTER_EXPORT_DAYS": "31"])
        _ = try await exporter.exports()
        try exporter.export()
        var privacy = TestLane(.privacy)
        try exporter.take([try privacy.block(kind: .retentionOrder, .documents([Self.order(rawDays: 1)]))])
        for _ in 0..<30 {
            exporter.clock.advance(by: 1_000)
            try exporter.settle()
        }
        #expect(try exporter.worker.retentionReports().count == 1)
        let list = try await exporter.exports()
        #expect(list.files.allSatisfy { $0.from_ms >= Self.start + 2 * 86_400_000 } && !list.files.isEmpty)
        #expect(try exporter.exportFiles.count == list.files.count { $0.period == "hour" })
        try exporter.export()
        try await exporter.expectExports(through: Self.firstHour + 59)
    }

    @Test func `day files of before hours were noted are exported too`() async throws {
        let directory = try TemporaryDirectory()
        try filled(directory).end()
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path + "/raw") {
            guard name.hasSuffix(".sqlite") else { continue }
            let file = try DatabaseQueue(path: directory.path + "/raw/" + name)
            try await file.write { try $0.execute(sql: "DROP TABLE block_hours; PRAGMA user_version = 2") }
            try file.close()
        }
        let exporter = try TestExporter(directory)
        _ = try await exporter.exports()
        try exporter.export()
        try await exporter.expectExports(through: Self.firstHour + 59)
        exporter.clock.advance(by: 2_000)
        var orders = TestOrders()
        try exporter.erase([.of(2)], &orders)
        exporter.clock.advance(by: ExportJobs.settling)
        try exporter.export()
        try await exporter.expectExports(through: Self.firstHour + 59)
    }

    @Test func `what a crash leaves is put in order`() async throws {
        let directory = try TemporaryDirectory(), exporter = try filled(directory)
        _ = try await exporter.exports()
        try exporter.export()
        let shelf = exporter.folder.exports!.directory
        let lost = try #require(try exporter.exportFiles.first)
        exporter.end()
        // A file that was not entered any more, one that was being made, and one that is lost.
        for name in ["0-2-reports-2026-02-27T05.csv.gz", "unfinished"] {
            try Data([1]).write(to: URL(fileURLWithPath: shelf + "/" + name))
        }
        try FileManager.default.removeItem(atPath: shelf + "/" + lost)
        let again = try TestExporter(directory)
        #expect(try again.exportFiles.count == 58)
        #expect(try await again.exports().files.filter { $0.state == "rewriting" }.count == 2)
        try again.export()
        try await again.expectExports(through: Self.firstHour + 59)
        // The same bytes are the same version.
        #expect(try await again.exports().files.allSatisfy { $0.version == 1 })
    }
}

/// Takes pieces and waits after the first until it may go on.
final class PausedBody: ResponseBodyWriter, @unchecked Sendable {
    // Sendable: a response writes one piece after the other.
    private let news: AsyncStream<[UInt8]>.Continuation
    private let (gate, opener) = AsyncStream<Void>.makeStream()
    private(set) var count = 0

    init(_ news: AsyncStream<[UInt8]>.Continuation) { self.news = news }

    func write(_ buffer: ByteBuffer) async throws {
        count += 1
        news.yield(Array(buffer.readableBytesView))
        for await _ in gate { break }
    }

    func goOn() { opener.yield() }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
