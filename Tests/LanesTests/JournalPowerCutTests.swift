import GRDB
import Lanes
import Models
import PowerCut
import QoE
import Seeds
import Storage
import TemporaryFiles
import Testing
import Wire

/// What was committed survives a power cut at any operation: 200 worlds with 400 seeds, each with several cuts.
@Suite struct JournalPowerCutTests {
    @Test(arguments: 0..<8) func `no committed block is lost`(part: Int) throws {
        for seed in part * 25..<part * 25 + Seeds.share(of: 25) {
            var run = try PowerCutRun(seed: UInt64(seed))
            for _ in 0..<4 { try run.oneLife() }
            #expect(try run.losses() == [], "seed \(seed)")
        }
    }

    @Test func `blocks acknowledged before their commit are found missing`() throws {
        let failed = try (UInt64(0)..<30).filter { seed in
            var run = try PowerCutRun(seed: seed)
            run.acknowledgesEarly = true
            for _ in 0..<4 { try run.oneLife() }
            return try !run.losses().isEmpty
        }
        #expect(failed.count > 10)
    }

    /// - Parameter isSyncedLate: whether each step has something done before its transaction is on disk.
    @Test(arguments: [false, true]) func `effects of blocks happen once`(isSyncedLate: Bool) throws {
        for seed in UInt64(0)..<40 {
            let directory = try TemporaryDirectory()
            let disk = PowerCutDisk(directory: directory.path)
            var random = SplitMix64(seed: seed)
            var applied = 0, done = 0
            for _ in 0..<6 {
                do {
                    let (database, engine) = try reader(directory)
                    var early = 0
                    if isSyncedLate { engine.beforeSync = { early += 1 } }
                    applied = try database.read {
                        try Int.fetchOne($0, sql: "SELECT coalesce(sum(rows), 0) FROM sums") ?? 0
                    }
                    let cursor = Int(engine.cursor(.batch)?.block ?? 0)
                    #expect(applied == cursor && cursor >= done, "seed \(seed)")
                    done = cursor
                    disk.stop(after: random.below(60))
                    for number in cursor + 1...cursor + 30 {
                        try engine.step([LaneBlock(lane: .batch, block: SampleRows.block(UInt64(number)))], now: 1)
                        done = number
                    }
                    #expect(early == (isSyncedLate ? 30 : 0))
                } catch is StorageError {}
                disk.cut(seed: random.next())
            }
        }
    }

    private func reader(_ directory: TemporaryDirectory) throws -> (ServiceDatabase, EffectEngine) {
        let database = try ServiceDatabase(
            path: directory.path("r.sqlite"),
            migrations: [Migration("sums", sql: "CREATE TABLE sums (id INTEGER PRIMARY KEY, rows INTEGER)")],
            options: DatabaseOptions(checkpointPages: 16, vfs: PowerCutDisk.vfs))
        let engine = try EffectEngine(
            database: database, reads: [LaneSubscription(lane: .batch, kinds: [.report])], journals: [],
            effects: Tally())
        return (database, engine)
    }
}

/// A writer that appends, trims and dies, again and again.
private struct PowerCutRun {
    let seed: UInt64
    let directory: TemporaryDirectory
    let disk: PowerCutDisk
    let sealer = BlockSealer(key: [UInt8](repeating: 5, count: 32))
    var random: SplitMix64
    /// Blocks of commits that returned, by lane; trimmed ones are taken out.
    var committed: [LaneName: [UInt64: Block]] = [.batch: [:], .realtime: [:]]
    /// Journals of which a commit has returned: they have this generation for ever.
    var generations: [LaneName: UInt64] = [:]
    var rows: Int64 = 0
    /// Plants a mistake.
    var acknowledgesEarly = false

    init(seed: UInt64) throws {
        self.seed = seed
        directory = try TemporaryDirectory()
        disk = PowerCutDisk(directory: directory.path)
        random = SplitMix64(seed: seed)
    }

    /// Opens, works until the machine stops, and loses power.
    mutating func oneLife() throws {
        disk.stop(after: random.below(300))
        do { try work() } catch is StorageError {}
        disk.cut(seed: random.next())
    }

    private mutating func work() throws {
        let database = try open()
        let journals = try [LaneName.realtime, .batch].map { lane in
            try Journal(
                lane: lane, in: database, limits: LaneLimits(maximumBytes: 1 << 30, retention: 0),
                readers: [ReaderRegistration(name: "r")], sealer: sealer)
        }
        for journal in journals {
            #expect(generations[journal.lane] ?? journal.generation == journal.generation, "seed \(seed)")
            generations[journal.lane] = journal.generation
        }
        var encoder = ColumnEncoder()
        while true {
            rows += 1
            let count = 1 + random.below(200), first = rows * 1_000
            let appended = try database.write { db in
                let blocks = try journals.flatMap { journal in
                    try journal.append(
                        db, kind: .report, columns: SampleRows.reports(count, from: first), encoder: &encoder, now: rows
                    )
                    .map { (journal.lane, $0) }
                }
                if acknowledgesEarly { note(blocks) }
                return blocks
            }
            note(appended)
            if random.chance(percent: 10) { try trim(journals[1], database) }
        }
    }

    private mutating func note(_ blocks: [(LaneName, Block)]) {
        for (lane, block) in blocks { committed[lane]![block.header.number] = block }
    }

    /// A trim may or may not have happened if the machine stops in it.
    private mutating func trim(_ journal: Journal, _ database: ServiceDatabase) throws {
        let through = UInt64(random.below(Int(journal.head) + 1))
        for number in committed[.batch]!.keys where number <= through { committed[.batch]![number] = nil }
        let said = ReaderProgress(reader: ReaderRegistration(name: "r"), committed: through, isJoining: false)
        try database.write { _ = try journal.maintain($0, progress: [said], now: rows + 1) }
    }

    /// Committed blocks that are gone or changed, holes in the numbers, and whatever SQLite finds wrong with the file.
    func losses() throws -> [String] {
        let database = try open()
        let soundness = try database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } ?? ""
        var losses = soundness == "ok" ? [] : [soundness]
        for (lane, blocks) in committed {
            guard try database.read({ try $0.tableExists("lane_\(lane.rawValue)_blocks") }) else {
                if !blocks.isEmpty { losses.append("journal \(lane) is gone") }
                continue
            }
            let page = try Journal.read(
                lane: lane, from: try database.reader(), after: 0, limit: .init(blocks: .max, bytes: .max),
                sealer: sealer)
            let found = Dictionary(uniqueKeysWithValues: page.blocks.map { ($0.header.number, $0) })
            losses += blocks.filter { found[$0.key] != $0.value }.map { "\(lane) block \($0.key)" }
            if page.blocks.map(\.header.number) != Array(page.oldest..<page.head + 1) {
                losses.append("\(lane) has holes")
            }
        }
        return losses
    }

    private func open() throws -> ServiceDatabase {
        try ServiceDatabase(
            path: directory.path("state.sqlite"), migrations: [],
            options: DatabaseOptions(checkpointPages: 32, vfs: PowerCutDisk.vfs))
    }
}
