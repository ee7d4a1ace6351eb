import Foundation
import GRDB
import IngestCommands
import IngestUploads
import Lanes
import Models
import QoE
import Storage
import SubjectRights
import TemporaryFiles
import Testing
import Wire

@testable import IngestCommit
@testable import IngestSupport

@Suite struct ErasureTests {
    private let now = Reading.now

    private func change(
        _ device: UInt64, _ request: String = "r1", scope: ErasureScope = .everything
    ) -> ErasureChange {
        ErasureChange(device: device, request: request, scope: scope, source: .device, dueAt: now + 1_000)
    }

    private func erase(_ bench: EngineBench, _ changes: ErasureChange..., uploads: [Upload] = []) throws
        -> IngestOutcome
    {
        try bench.engine.commit(uploads, commands: changes, now: now)
    }

    private func settle(_ engine: IngestEngine) throws -> [Block] {
        var blocks: [Block] = []
        // An erasure rests while rows come.
        let later = now + 2_000
        for _ in 0..<50 where engine.hasErasureWork(now: later) { blocks += try engine.eraseSlice(now: later) }
        return blocks
    }

    private func enrol(_ bench: EngineBench, _ number: UInt8) throws -> DeviceIdentity {
        let enrolment = Enrolment(
            deviceID: [UInt8](repeating: number, count: 16), tokenHash: [UInt8](repeating: number, count: 32),
            platform: "android", appVersion: "1", consent: .all, policyVersion: "1")
        return try bench.engine.commit([], commands: [enrolment], now: now).answers(to: Enrolment.self)[0].get()
    }

    private func upload(_ device: DeviceIdentity, _ numbers: [Int], captured: [Int64]? = nil) throws -> Upload {
        let rows = numbers.enumerated().map { place, number in
            #"{"id":"a5c1e97b-3d42-40e7-806b-\#(String(format: "%012d", number))","captured_at_ms":\#(captured?[place] ?? now),"latency_ms":20}"#
        }
        let body = Array(("[" + rows.joined(separator: ",") + "]").utf8)
        return try body.withUnsafeBytes {
            try Reading.reader.read($0, of: device, as: UploadRequest(kind: .report, arrivedAt: now))
        }
    }

    @Test func `a request revokes the device at once and its barrier is behind all its rows`() throws {
        let bench = try EngineBench(), device = try enrol(bench, 1), other = try enrol(bench, 2)
        _ = try bench.receipt(upload(device, [1, 2]))
        let outcome = try erase(
            bench, change(device.ordinal), uploads: [upload(device, [3]), upload(other, [4])])
        #expect(try outcome.answers(to: ErasureChange.self)[0].get() == now)
        guard case .failure(let problem) = outcome.receipts[0] else { return #expect(Bool(false)) }
        #expect(problem.reason == .deviceErased && problem.request == "r1")
        #expect(try outcome.receipts[1].get().accepted == 1)
        let documents = try EngineBench.rows(outcome, .requests).flatMap {
            try $0.documents(ErasureRequestDocument.self)
        }
        let request = try #require(documents.first?.document)
        #expect(request.subject.barriers.map(\.lane) == [.realtime, .batch, .requests])
        #expect(request.subject.barriers[1].block == outcome.blocks[.batch]!.last!.header.number)
        let key = SuppressionKey(secret: [UInt8](1...32))
        #expect(request.subject.subject == Hexadecimal.text(key.mark(ofDevice: [UInt8](repeating: 1, count: 16))))
        #expect(
            try bench.database.read { try IngestStore($0).device(tokenHash: [UInt8](repeating: 1, count: 32)) } == nil)
        let later = try bench.engine.commit([upload(device, [5])], now: now).receipts[0]
        guard case .failure(let refused) = later else { return #expect(Bool(false)) }
        #expect(refused.reason == .deviceErased)
    }

    @Test func `a request that cannot be committed leaves the device as it was`() throws {
        let bench = try EngineBench(), device = try enrol(bench, 1)
        try bench.database.write { try $0.execute(sql: "ALTER TABLE erased_tokens RENAME TO elsewhere") }
        #expect(throws: (any Error).self) { try erase(bench, change(device.ordinal)) }
        #expect(try bench.receipt(upload(device, [1])).accepted == 1)
    }

    @Test func `a slice that could not be committed is done again`() throws {
        let bench = try EngineBench(), device = try enrol(bench, 1)
        _ = try bench.receipt(upload(device, [1]))
        _ = try erase(bench, change(device.ordinal))
        try bench.engine.copiesAreClean(of: ["r1"])
        try bench.database.write {
            try $0.execute(
                sql: "CREATE TEMP TRIGGER full BEFORE UPDATE ON erasures BEGIN SELECT RAISE(ABORT, 'full'); END")
        }
        #expect(throws: (any Error).self) { for _ in 0..<20 { _ = try bench.engine.eraseSlice(now: now) } }
        try bench.database.write { try $0.execute(sql: "DROP TRIGGER full") }
        #expect(try settle(bench.engine).contains { $0.header.kind == RecordKind.erasureReceipt.id })
        let left = try bench.database.read {
            try Data.fetchAll($0, sql: "SELECT device_id FROM device_names UNION ALL SELECT memory FROM memories")
        }
        #expect(left == [Data(count: 16)])
    }

    @Test func `nothing of the device is left in any file, and everything of others`() throws {
        let directory = try TemporaryDirectory(), path = directory.path + "/state.sqlite"
        let bench = try EngineBench(path: path)
        let devices = try (1...40).map { try enrol(bench, UInt8($0)) }
        for round in 0..<6 {
            for (place, device) in devices.enumerated() {
                _ = try bench.receipt(upload(device, (0..<5).map { place * 1_000 + round * 10 + $0 + 1 }))
            }
        }
        try bench.database.write { db in
            for device in devices {
                try IngestStore(db).beginPush(of: device.ordinal, at: Reading.now)
                try IngestStore(db).note("p", to: device.ordinal, .noService, .raised, of: "a", at: Reading.now)
            }
        }
        let gone = Set([3, 17, 31]), needles = Needles(gone.map { UInt8($0 + 1) }, gone)
        #expect(try needles.found(in: path) > needles.count * 8 / 10)
        _ = try erase(
            bench, change(devices[3].ordinal, "a"), change(devices[17].ordinal, "b"), change(devices[31].ordinal, "c"))
        try bench.engine.copiesAreClean(of: ["a", "b", "c"])
        let receipts = try settle(bench.engine).filter { $0.header.kind == RecordKind.erasureReceipt.id }
        #expect(receipts.reduce(0) { $0 + $1.header.rowCount } == 3)
        #expect(try needles.found(in: path) == 0)
        #expect(try Needles([1], [0]).found(in: path) > 0)
        try bench.database.read { db in
            let ordinals = gone.map { Int64(devices[$0].ordinal) }
            for (table, column) in [
                ("devices", "ordinal"), ("memories", "device"), ("memory_changes", "device"), ("receipts", "device"),
                ("erasure_requests", "device"), ("erasures", "device"), ("push_devices", "device"),
                ("push_prompts", "device"),
            ] {
                let left = try Int64.fetchAll(db, sql: "SELECT \(column) FROM \(table) WHERE \(column) IS NOT NULL")
                #expect(Set(left).isDisjoint(with: ordinals), "\(table)")
            }
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM devices") == 37)
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM push_prompts") == 37)
        }
        for device in devices where !gone.contains(Int(device.ordinal) - 1) {
            let place = Int(device.ordinal) - 1
            #expect(try bench.receipt(upload(device, [place * 1_000 + 1])).duplicates == 1)
        }
    }

    @Test func `it is not signed before the other file is clean`() throws {
        let bench = try EngineBench(), device = try enrol(bench, 1)
        _ = try erase(bench, change(device.ordinal))
        #expect(try !settle(bench.engine).contains { $0.header.kind == RecordKind.erasureReceipt.id })
        try bench.engine.copiesAreClean(of: ["r1"])
        #expect(try settle(bench.engine).contains { $0.header.kind == RecordKind.erasureReceipt.id })
    }

    @Test func `a part goes from the journals, and late records of it are refused`() throws {
        let bench = try EngineBench(), device = try enrol(bench, 1)
        let bucket = ErasureScope.bucketMilliseconds, begin = now / bucket * bucket - 4 * bucket
        _ = try bench.receipt(upload(device, [1, 2], captured: [begin - 1, begin + 1]))
        let scope = ErasureScope(from: begin, to: begin + bucket, cells: nil, requestedAt: now)
        _ = try erase(bench, change(device.ordinal, scope: scope))
        try bench.engine.copiesAreClean(of: ["r1"])
        _ = try settle(bench.engine)
        #expect(try stored(bench) == [begin - 1])
        let receipt = try bench.receipt(upload(device, [3, 4, 2], captured: [begin + 5, begin + bucket, begin + 1]))
        #expect(receipt.accepted == 1 && receipt.rejected == 2)
        #expect(receipt.items.map(\.code) == ["erased", "erased"])
        #expect(try stored(bench) == [begin - 1, begin + bucket])
        #expect(try bench.engine.commit([], now: now).receipts.isEmpty)
    }

    private func stored(_ bench: EngineBench) throws -> [Int64] {
        var decoder = ColumnDecoder()
        return try Journal.read(lane: .batch, from: bench.database.reader(), after: 0).blocks
            .flatMap { try $0.columns(with: &decoder)[ColumnID.capturedAt]?.integers ?? [] }
    }

    @Test func `memories of others go on after a start, though rows of changes were erased`() throws {
        let directory = try TemporaryDirectory(), path = directory.path + "/state.sqlite"
        let bench = try EngineBench(path: path)
        let kept = try enrol(bench, 1), gone = try enrol(bench, 2)
        _ = try bench.receipt(upload(kept, [1]))
        _ = try bench.receipt(upload(gone, [2]))
        _ = try erase(bench, change(gone.ordinal))
        try bench.engine.copiesAreClean(of: ["r1"])
        _ = try settle(bench.engine)
        try bench.engine.close()
        let again = try EngineBench(path: path)
        #expect(try again.receipt(upload(kept, [1, 3])).duplicates == 1)
        #expect(try again.receipt(upload(kept, [3])).duplicates == 1)
    }
}

/// What names devices and their records, as bytes.
private struct Needles {
    /// What there is while nothing is erased.
    private let needles: [Data]
    /// Identifiers as they came, which are kept nowhere.
    private let identifiers: [Data]
    var count: Int { needles.count }

    init(_ names: [UInt8], _ places: Set<Int>) {
        var packed: [Data] = [], whole: [Data] = []
        for place in places {
            for index in 0..<30 {
                let digits = String(format: "%012d", place * 1_000 + index / 5 * 10 + index % 5 + 1)
                // As a v4 lies in a block: without version and variant.
                packed.append(Data(Hexadecimal.bytes("a5c1e97b3d42e7006b" + digits)!))
                whole.append(Data(Hexadecimal.bytes("a5c1e97b3d4240e7806b" + digits)!))
            }
        }
        needles = names.map { Data(repeating: $0, count: 16) } + packed
        identifiers = whole
    }

    func found(in path: String) throws -> Int {
        let files = try [path, path + "-wal"].map { try Data(contentsOf: URL(filePath: $0)) }
        return (needles + identifiers).filter { needle in files.contains { $0.range(of: needle) != nil } }.count
    }
}
