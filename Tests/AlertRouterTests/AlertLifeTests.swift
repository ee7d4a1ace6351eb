import Foundation
import GRDB
import Lanes
import Logging
import Models
import QoE
import PowerCut
import Seeds
import Storage
import TemporaryFiles
import Testing

@testable import AlertRouter

@Suite struct AlertLifeTests {
    private let directory: TemporaryDirectory
    private let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    init() throws { directory = try TemporaryDirectory() }

    private func open(vfs: String? = nil) throws -> ServiceDatabase {
        try ServiceDatabase(
            path: directory.path("state.sqlite"), migrations: AlertRouterEffects.migrations,
            options: DatabaseOptions(checkpointPages: 40, defersCheckpoints: true, longestLogPages: 160, vfs: vfs))
    }

    private func life(_ database: ServiceDatabase, boot: String) -> AlertLife {
        AlertLife(database: database, failureMark: directory.path("failed"), boot: boot)
    }

    @Test func `numbers leap after another boot or a failure, unless the run before ended cleanly`() throws {
        let database = try open()
        func begin(_ boot: String) throws -> Bool { try life(database, boot: boot).begin() }
        #expect(try !begin("a"))
        #expect(try !begin("a"))  // killed
        #expect(try begin("b"))
        life(database, boot: "b").end(after: nil, log)
        #expect(try !begin("c"))
        life(database, boot: "c").end(after: CancellationError(), log)
        #expect(try begin("c"))
        #expect(try !begin("c"))
        #expect(try database.read { try AlertLeaps.start($0) } == 2 * AlertLeaps.width)
        #expect(AlertLife.thisBoot.count == 36)
    }

    /// What subscribers have seen over all lives of the router.
    private final class Seen {
        var messages: [AlertMessage] = []
    }

    /// A life that reads blocks until the power is cut; true if it came to the end.
    private func live(_ number: Int, _ blocks: [LaneBlock], _ seen: Seen) throws -> Bool {
        do {
            let database = try open(vfs: PowerCutDisk.vfs)
            #expect(try database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
            _ = try life(database, boot: "\(number)").begin()
            let effects = try AlertRouterEffects(
                programmes: .raisingAll, database: database, publish: { seen.messages += $0 })
            let journal = try Journal(lane: .alerts, in: database, newGeneration: { 5 })
            let engine = try EffectEngine(
                database: database, reads: AlertRouterEffects.subscriptions(.raisingAll).filter { $0.lane != .privacy },
                journals: [journal], effects: effects)
            engine.beforeSync = effects.publishCommitted
            for block in blocks where block.position.block > engine.cursor(.realtime)?.block ?? 0 {
                let told = seen.messages.count
                let outcome = try engine.step([block], now: 1_750_000_000_000 + Int64(number))
                #expect(seen.messages.count == told + 1 && !outcome.appended.isEmpty)
                try database.checkpointIfDue()
            }
            return true
        } catch is StorageError {
            return false
        }
    }

    @Test func `after power cuts no number is given out twice, and every alarm was told`() throws {
        var toldAgain = 0
        for seed in 0..<UInt64(Seeds.share(of: 30)) { toldAgain += try AlertLifeTests().cutAndGoOn(seed: seed) }
        #expect(toldAgain > 0, "no power was cut between a message and the sync of its transaction")
    }

    /// Sixty alarms in many lives; how many messages came more than once.
    private func cutAndGoOn(seed: UInt64) throws -> Int {
        let disk = PowerCutDisk(directory: directory.path)
        let blocks = try (1...60).map { number in
            var urgent = Urgent.drop(device: Int64(number), at: 1_750_000_000_000 + Int64(number))
            urgent.mnc = Int64(number)
            return try Urgent.block(UInt64(number), [urgent])
        }
        var random = SplitMix64(seed: seed)
        let seen = Seen()
        var cuts = 0, isDone = false
        while !isDone {
            if cuts < 40 { disk.stop(after: 10 + random.below(30)) }
            isDone = try live(cuts, blocks, seen)
            disk.cut(seed: random.next())
            cuts += 1
        }
        let numbers = seen.messages.map(\.seq)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed)")
        #expect(Set(seen.messages.map(\.topic)).count == 60, "seed \(seed)")
        let database = try open(vfs: PowerCutDisk.vfs)
        let stored = try ReplayReader(database: database.reader(), tenant: .regulator)
            .page(.replay(after: 0, prefix: []), nil).messages
        #expect(Set(stored.map(\.topic)).count == 60 && stored.count == 60, "seed \(seed)")
        #expect(Set(stored.map(\.seq)).isSubset(of: Set(numbers)), "seed \(seed)")
        return numbers.count - 60
    }
}
