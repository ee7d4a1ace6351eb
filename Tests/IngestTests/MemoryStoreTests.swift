import GRDB
import Models
import Seeds
import Storage
import Testing

@testable import IngestDuplicates
@testable import IngestSupport
@testable import IngestUploads

/// What is remembered of devices in two tables is what one memory would remember, through any order of uploads, failures,
/// starts and trimming.
@Suite struct MemoryStoreTests {
    private static let start: Int64 = 1_790_000_000_000
    private static let day: Int64 = 86_400_000

    private struct Failure: Error {}

    private func identity(hasSeq: Bool, _ random: inout SplitMix64) -> RowIdentity {
        RowIdentity(
            seq: !hasSeq || Bool.random(using: &random) ? 0 : Int64.random(in: 1...600, using: &random),
            // Few ids and contents, so that repetitions, conflicts and reused counters come often.
            id: UInt64.random(in: 1...900, using: &random) << 48,
            content: UInt64.random(in: 0...2, using: &random) << 48)
    }

    private func note(_ random: inout SplitMix64, at now: Int64) -> ReceiptNote {
        ReceiptNote(
            batch: BatchID(high: UInt64.random(in: 1...40, using: &random), low: 0),
            fingerprint: UInt32.random(in: 1...2, using: &random), at: now, accepted: 1, duplicates: 0, rejected: 0,
            hasItems: Bool.random(using: &random))
    }

    /// The same changes to a memory in layers and to one in a single layer.
    private func change(
        _ memory: inout LayeredMemory, _ model: inout DeviceMemory, at now: Int64, hasSeq: Bool,
        _ random: inout SplitMix64
    ) {
        let today = DeviceMemory.day(now)
        // An early layer may still name what went for its number already, never what one memory would keep.
        let forgotten = Set(memory.prune(now: now).map(\.high))
        #expect(forgotten.isSuperset(of: model.prune(now: now).gone.map(\.high)))
        #expect(forgotten.isDisjoint(with: model.receipts.map(\.batch.high)))
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            let identity = identity(hasSeq: hasSeq, &random)
            if identity.seq != 0 {
                #expect(memory.finding(identity) == model.windows.finding(identity))
                #expect(memory.claim(identity, day: today) == model.windows.claim(identity, day: today))
                continue
            }
            var one = IDLookup(capacity: 1), other = IDLookup(capacity: 1)
            one.add(identity)
            memory.mark(&one)
            other.add(identity)
            other.mark(model.ids)
            #expect(one.finding(identity) == other.finding(identity))
            guard one.finding(identity) == .unknown else { continue }
            memory.insert(identity, capturedDay: today)
            model.ids.insert(identity, capturedDay: today)
        }
        let note = note(&random, at: now)
        #expect(
            memory.receipt(note.batch, fingerprint: note.fingerprint)
                == model.receipts.last { $0.batch == note.batch && $0.fingerprint == note.fingerprint })
        let before = model.receipts
        model.add(note)
        let gone = before.filter { old in old.hasItems && !model.receipts.contains { $0.batch == old.batch } }
        #expect(memory.add(note) == gone.map(\.batch))
        if Int.random(in: 0..<20, using: &random) == 0 {
            memory.consentMark = UInt8.random(in: 1...255, using: &random)
            model.consentMark = memory.consentMark
        }
    }

    /// In every second world weeks pass, in which things are forgotten; not of counters, which a layer may forget earlier than one
    /// memory would, where a later layer has their page, too.
    @Test(arguments: 0..<2 * UInt64(Seeds.share(of: 8)))
    func `layers on disk remember what one would`(seed: UInt64) throws {
        let isLong = seed % 2 == 1
        var random = SplitMix64(seed: seed)
        let database = try ServiceDatabase(path: ":memory:", migrations: IngestSchema.migrations)
        let limits = MemoryStore.Limits(
            bytes: seed % 2 == 0 ? 1 << 30 : [0, 3_000].randomElement(using: &random)!,
            devices: seed % 2 == 0 ? 1_000 : [1, 4, 1_000].randomElement(using: &random)!)
        func open() throws -> MemoryStore { try database.write { try MemoryStore($0, limits: limits) } }
        var store = try open(), now = Self.start
        var models: [UInt64: DeviceMemory] = [:]
        for _ in 0..<200 {
            now += [1_000, 60_000, isLong ? 40_000_000 : 3_600_000].randomElement(using: &random)!
            var changed = models
            let fails = Int.random(in: 0..<6, using: &random) == 0
            do {
                try database.write { _ in
                    for _ in 0..<Int.random(in: 0...4, using: &random) {
                        let device = UInt64.random(in: 1...9, using: &random)
                        var memory = try store.memory(of: device), model = changed[device] ?? DeviceMemory()
                        #expect((memory.merged == model) == true)
                        change(&memory, &model, at: now, hasSeq: !isLong, &random)
                        try store.save(memory, of: device)
                        changed[device] = model
                    }
                    try store.trim(rows: Int.random(in: 1...8, using: &random))
                    if fails { throw Failure() }
                }
                store.commit()
                models = changed
            } catch is Failure {
                store.rollBack()
            }
            if Int.random(in: 0..<10, using: &random) == 0 { store = try open() }
        }
        for (device, model) in models { #expect((try store.memory(of: device).merged == model) == true) }
    }

    @Test func `old changes go into bases, a bounded number at a time, and numbers go on after a start`() throws {
        let database = try ServiceDatabase(path: ":memory:", migrations: IngestSchema.migrations)
        func count(_ table: String) throws -> Int {
            try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
        }
        func newest() throws -> Int64 {
            try database.read { try Int64.fetchOne($0, sql: "SELECT max(number) FROM memory_changes") ?? 0 }
        }
        let limits = MemoryStore.Limits(bytes: 0, devices: 1_000)
        var store = try database.write { try MemoryStore($0, limits: limits) }
        try database.write { _ in
            for device in UInt64(1)...50 {
                var memory = try store.memory(of: device)
                _ = memory.claim(RowIdentity(seq: 1, id: device << 48, content: 0), day: 20_000)
                try store.save(memory, of: device)
            }
        }
        store.commit()
        #expect(try count("memories") == 0 && count("memory_changes") == 50)
        try database.write { _ in try store.trim(rows: 20) }
        store.commit()
        #expect(try count("memories") == 20 && count("memory_changes") == 30)
        try database.write { _ in try store.trim(rows: 1_000) }
        store.commit()
        #expect(try count("memories") == 49 && count("memory_changes") == 1)
        store = try database.write { try MemoryStore($0, limits: limits) }
        try database.write { _ in try store.save(LayeredMemory(), of: 99) }
        #expect(try newest() == 51)
        let known = RowIdentity(seq: 1, id: 7 << 48, content: 0)
        #expect(try store.memory(of: 7).finding(known) == .duplicate)
        #expect(try store.memory(of: 50).finding(known) == .reused)
    }

    @Test func `rows that no longer count take no more than those that do, and cost no base`() throws {
        let database = try ServiceDatabase(path: ":memory:", migrations: IngestSchema.migrations)
        let store = try database.write { try MemoryStore($0) }
        var random = SplitMix64(seed: 5), inTable = 0, counting = 0
        for round in 0..<60 {
            try database.write { db in
                for device in UInt64(1)...50 {
                    var memory = try store.memory(of: device)
                    memory.insert(1, &random)
                    try store.save(memory, of: device)
                }
                try store.trim(rows: 2 * 50 + 64)
                inTable = try Int.fetchOne(db, sql: "SELECT sum(length(changes)) FROM memory_changes") ?? 0
                counting =
                    try Int.fetchOne(
                        db,
                        sql: """
                            SELECT sum(total) FROM memory_changes
                            WHERE number IN (SELECT max(number) FROM memory_changes GROUP BY device)
                            """) ?? 0
            }
            store.commit()
            // Twice, and what has yet to move: all devices come in turn, so rows that count lie together.
            #expect(inTable <= 5 * counting / 2, "round \(round)")
        }
        #expect(counting > 50 * 60 * 10, "all that came since there is no base")
        #expect(try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM memories") } == 0)
    }

    @Test func `rows of devices that have gone quiet move behind the others`() throws {
        let database = try ServiceDatabase(path: ":memory:", migrations: IngestSchema.migrations)
        var store = try database.write { try MemoryStore($0) }
        var random = SplitMix64(seed: 6), known: [UInt64: RowIdentity] = [:], uploaded = 0, moved = 0
        func upload(of device: UInt64) throws {
            var memory = try store.memory(of: device)
            for _ in 0..<5 {
                let id = random.next()
                known[device] = RowIdentity(seq: 0, id: id, content: id)
                memory.insert(known[device]!, capturedDay: 20_000)
            }
            uploaded += memory.delta(behind: memory.keptLayers.count).encodedSize
            try store.save(memory, of: device)
        }
        func number(_ sql: String) throws -> Int { try database.read { try Int.fetchOne($0, sql: sql) ?? 0 } }
        for round in 0..<400 {
            try database.write { db in
                func number(_ sql: String) throws -> Int { try Int.fetchOne(db, sql: sql) ?? 0 }
                for device in round == 0 ? 1...2_000 : UInt64(1)...10 { try upload(of: device) }
                let last = try number("SELECT max(number) FROM memory_changes")
                try store.trim(rows: 84)
                moved += try number("SELECT sum(length(changes)) FROM memory_changes WHERE number > \(last)")
            }
            store.commit()
            let size = try number("SELECT sum(length(changes)) FROM memory_changes")
            let counting = try number(
                """
                SELECT sum(total) FROM memory_changes
                WHERE number IN (SELECT max(number) FROM memory_changes GROUP BY device)
                """)
            // The quiet ones and what lies between move in some 30 commits, in each of which ten deltas of up to 2.4 KB come.
            #expect(size <= 2 * counting + 30 * 10 * 2_400, "round \(round)")
        }
        #expect(try number("SELECT count(*) FROM memories WHERE device > 10") == 0)
        let quiet = try number("SELECT max(length(changes)) FROM memory_changes WHERE device = 2000")
        #expect((2_000 * quiet..<uploaded).contains(moved), "all, but no more bytes than uploads wrote")
        store = try database.write { try MemoryStore($0) }
        for (device, last) in known {
            var lookup = IDLookup(capacity: 1)
            lookup.add(last)
            try store.memory(of: device).mark(&lookup)
            #expect(lookup.finding(last) == .duplicate)
        }
    }
}
