import Foundation
import GRDB
import Lanes
import Models
import Storage
import Testing
import Wire

@testable import RewardDispatcher

/// What is left on disk, byte by byte, of subjects that were erased. Blocks are not sealed here.
struct RewardErasureFilesTests {
    private static let grants: Int64 = 40
    private let directory: TemporaryFiles
    private let start = RewardBench.start
    private let erased: [Int64] = [3, 11, 12]

    init() throws { directory = try TemporaryFiles() }

    /// Needles by what they are; those of one file are not in the other.
    private func needles(_ keys: PayoutKeys, seqs: ClosedRange<Int64>) throws -> [String: Data] {
        var needles: [String: Data] = [:]
        for device in erased {
            for seq in seqs {
                needles["record \(device)/\(seq)"] = Data(Given(device: device, seq: seq).record.bytes)
                let id = GrantID(
                    device: UInt64(device), campaign: "built-in", record: Given(device: device, seq: seq).record)
                needles["grant \(device)/\(seq)"] = Data(id.text.utf8)
            }
            let number = try #require(PayoutNumber(phone: Self.phone(device), operator: "62401"))
            needles["mark \(device)"] = Data(keys.mark(number))
        }
        return needles
    }

    private static func phone(_ device: Int64) -> String { "+2376700\(10_000 + device)" }

    /// Names of the needles that are in any file.
    private func found(_ needles: [String: Data]) throws -> Set<String> {
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            .filter { $0.contains("sqlite") && !$0.hasSuffix("-shm") }
        #expect(files.count >= 2)
        let contents = try files.map { try Data(contentsOf: URL(filePath: directory.path + "/" + $0)) }
        return Set(needles.filter { needle in contents.contains { Self.holds($0, needle.value) } }.keys)
    }

    /// By the C library: Foundation's search takes a hundred times as long.
    private static func holds(_ content: Data, _ needle: Data) -> Bool {
        content.withUnsafeBytes { content -> Bool in
            needle.withUnsafeBytes { needle -> Bool in
                let first = CInt(needle.first!)
                var rest = content
                while let found = memchr(rest.baseAddress!, first, rest.count) {
                    rest = UnsafeRawBufferPointer(rebasing: rest[(UnsafeRawPointer(found) - rest.baseAddress!)...])
                    guard rest.count >= needle.count else { return false }
                    if memcmp(rest.baseAddress!, needle.baseAddress!, needle.count) == 0 { return true }
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
                }
                return false
            }
        }
    }

    /// Every device with a number and grants, paid by the sandbox in an order of its own; those of the last record are on
    /// their way.
    ///
    /// - Returns: the calls that are not over.
    private func fill(
        _ bench: RewardBench, _ payouts: inout PayoutBench, _ sandbox: SandboxStore
    ) throws -> [ProviderCall] {
        var open: [ProviderCall] = []
        let devices: [Int64] = (1...20).map { $0 * 7 % 20 + 1 }
        try bench.take(payouts.block(devices.map { (UInt64($0), Self.phone($0)) }))
        for seq in 1...Self.grants {
            try bench.give(devices.map { Given(device: $0, seq: (seq * 17) % Self.grants + 1) })
            try bench.tick(start + seq)
            for call in bench.takeCalls() {
                _ = try sandbox.pay(call)
                guard call.grant != id(call.device, Self.grants) else {
                    open.append(call)
                    continue
                }
                bench.effects.answers.add(.confirmed("sandbox-\(call.grant.text)"), to: call)
            }
            try bench.tick(start + seq)
            try bench.engine.maintain(now: start + seq)
        }
        return open
    }

    private func id(_ device: UInt64, _ seq: Int64) -> GrantID {
        GrantID(device: device, campaign: "built-in", record: Given(device: Int64(device), seq: seq).record)
    }

    @Test func `of a subject no file has a record, a grant or a number once its erasure is signed`() throws {
        let keys = try PayoutKeys(KeyStore(directory: directory.path + "/keys"))
        let books = try ServiceDatabase(
            path: directory.path + "/sandbox.sqlite", migrations: SandboxProvider.migrations)
        let provider = SandboxProvider(SandboxScript(), database: books)
        let bench = try RewardBench(
            callsAtOnce: 10_000, payoutKeys: keys, path: directory.path + "/state.sqlite", books: provider)
        var payouts = PayoutBench(keys)
        let underWay = try fill(bench, &payouts, SandboxStore(database: books, script: SandboxScript()))
        let settled = try needles(keys, seqs: 1...Self.grants - 1)
        let open = try needles(keys, seqs: Self.grants...Self.grants)
        #expect(try found(settled) == Set(settled.keys))
        #expect(try found(open) == Set(open.keys))
        for device in erased { try bench.erase(device, at: start + 1_000) }
        #expect(try bench.receipts().count == erased.count)
        #expect(try found(settled) == [])
        // What is under way has the provider's reference, and nothing else.
        #expect(try found(open) == Set(open.keys.filter { $0.hasPrefix("grant") }))
        for call in underWay { bench.effects.answers.add(.unknown("timeout"), to: call) }
        for now in stride(from: start + 2_000, to: start + 20_000, by: 1_000) {
            try bench.tick(now)
            for call in bench.takeCalls() { bench.effects.answers.add(.confirmed("late"), to: call) }
        }
        try bench.tick(start + 20_000 + RewardErasure.cleaningPause)
        #expect(try found(open) == [])
        #expect(try found(settled) == [])
        #expect(try bench.number("SELECT count(*) FROM grants WHERE state = 'confirmed'") == 20 * Self.grants)
        let paid = try books.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM payments WHERE payouts = 1") }
        #expect(paid == Int(20 * Self.grants))
    }

    /// Many grants, so that SQLite moves rows between pages: it zeroes what is deleted, not where it once stood.
    @Test func `copies that SQLite leaves in corners of its trees go with the subject`() throws {
        let bench = try RewardBench(path: directory.path + "/state.sqlite")
        var random = SplitMix64(seed: 4), mine: [String: Data] = [:], rows = RewardRows()
        let grants = (0..<6_000).map { number in
            Grant(
                RewardBench.campaign(), device: number % 4 == 0 ? 1 : UInt64(number + 1),
                record: RecordIdentifier(high: random.next(), low: random.next()), day: 1, now: start)
        }
        for grant in grants {
            try bench.database.write { db in
                var grant = grant
                (grant.state, grant.moves, grant.dueAt) = (.confirmed, 1, nil)
                try RewardDispatcherStore().save(grant, db)
                try Ledger().book(LedgerTransaction(grant, number: 1, from: .budget, to: .owed, at: start), db)
            }
            try rows.append(grant.id.text, grant.device, grant.document)
            guard grant.device == 1 else { continue }
            mine["record \(mine.count)"] = Data(grant.record.bytes)
            mine["grant \(mine.count)"] = Data(grant.id.text.utf8)
        }
        let journal = bench.engine.journals[0]
        var encoder = ColumnEncoder()
        try bench.database.write { db in
            _ = try journal.append(db, kind: .grant, columns: rows.columns, encoder: &encoder, now: start)
            // As compaction puts keys down, once a journal is long enough.
            for grant in grants {
                try db.execute(
                    sql: "INSERT INTO lane_rewards_keys VALUES (?, 1)",
                    arguments: [Data([RecordKind.grant.id] + grant.id.text.utf8)])
            }
        }
        #expect(try bench.database.truncateLog())
        #expect(try found(mine) == Set(mine.keys))
        try bench.erase(1)
        #expect(try bench.receipts().count == 1)
        #expect(try found(mine) == [])
        #expect(try bench.number("SELECT count(*) FROM grants WHERE device = 0") == 1_500)
        #expect(try bench.number("SELECT count(*) FROM lane_rewards_keys") == 4_500)
    }

    @Test func `a crash between an erasure and the cleaning leaves nothing either`() throws {
        let keys = try PayoutKeys(KeyStore(directory: directory.path + "/keys"))
        let books = try ServiceDatabase(
            path: directory.path + "/sandbox.sqlite", migrations: SandboxProvider.migrations)
        let bench = try RewardBench(
            callsAtOnce: 10_000, payoutKeys: keys, path: directory.path + "/state.sqlite",
            books: SandboxProvider(SandboxScript(), database: books))
        var payouts = PayoutBench(keys)
        _ = try fill(bench, &payouts, SandboxStore(database: books, script: SandboxScript()))
        let settled = try needles(keys, seqs: 1...Self.grants - 1)
        #expect(try found(settled) == Set(settled.keys))
        for device in erased {
            try bench.engine.step([Given.order(bench.nextNumber(on: .privacy), device)], now: start + 1_000)
        }
        var steps = 0
        while try bench.receipts().count < erased.count, steps < 500 {
            try bench.engine.step([], now: start + 1_000)
            steps += 1
            if steps.isMultiple(of: 2) { continue }
            try bench.restart()
            if steps > 20 { try bench.settle(at: start + 1_000) }
        }
        #expect(try bench.receipts().count == erased.count)
        #expect(try found(settled) == [])
    }
}

/// A directory that goes with the test.
private final class TemporaryFiles {
    let path = "/tmp/nkul-\(UUID().uuidString.prefix(8))"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
