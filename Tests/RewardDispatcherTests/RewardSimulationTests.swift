import Foundation
import Models
import ProviderEmulators
import Seeds
import Testing

@testable import RewardDispatcher

/// Many worlds in virtual time. `NKUL_SEEDS` says how many: with 400 each test runs as many as it names, with 100 (the default) a
/// quarter of them. The seed in a failure's words repeats one.
struct RewardSimulationTests {
    /// What chance brings is judged only where there are enough worlds for it.
    private static let areFew = Seeds.share < 0.25

    /// The seeds of a part of all.
    private static func seeds(_ part: Int, of count: Int) -> ClosedRange<UInt64> {
        let count = UInt64(max(1, (Seeds.share * Double(count)).rounded())), first = UInt64(part) * count
        return first + 1...first + count
    }

    @Test(arguments: 0..<10)
    func `five deliveries, kills at commits and time-outs: nobody is paid twice, nobody stays unpaid`(part: Int) throws
    {
        var kills = 0
        let seeds = Self.seeds(part, of: 40)
        for seed in seeds {
            let world = try RewardWorld(seed: seed) { _, random in
                random.chance(percent: 15) ? random.pick(CrashingEffects.Moment.allCases) : nil
            }
            let wrong = try world.run()
            #expect(wrong == nil, "seed \(seed)")
            if wrong != nil { return }
            #expect(try RewardCheck(world).lane() == nil, "seed \(seed)")
            kills += world.kills
        }
        #expect(kills > seeds.count / 2 || Self.areFew)
    }

    @Test(arguments: EmulatedProvider.Dialect.allCases, 0..<5)
    func
        `in each dialect: duplicates refused, time-outs that did or did not pay, reversals, kills; nobody is paid twice`(
            dialect: EmulatedProvider.Dialect, part: Int
        ) throws
    {
        var kills = 0, settled = 0
        let seeds = Self.seeds(part, of: 20)
        for seed in seeds {
            let world = try RewardWorld(
                seed: seed, dialect: dialect, erases: seed.isMultiple(of: 5), changesMind: seed.isMultiple(of: 2)
            ) { _, random in
                random.chance(percent: 10) ? random.pick(CrashingEffects.Moment.allCases) : nil
            }
            let wrong = try world.run()
            #expect(wrong == nil, "\(dialect), seed \(seed)")
            if wrong != nil { return }
            kills += world.kills
            settled += world.provider.payouts.count
        }
        #expect((kills > seeds.count / 6 && settled > seeds.count / 2) || Self.areFew)
    }

    @Test(arguments: 0..<10)
    func `payments are taken back and refusals withdrawn, with kills: the books say in the end what the provider says`(
        part: Int
    ) throws {
        var changed = 0
        let seeds = Self.seeds(part, of: 40)
        for seed in seeds {
            let world = try RewardWorld(seed: seed, erases: seed.isMultiple(of: 4), changesMind: true) { _, random in
                random.chance(percent: 10) ? random.pick(CrashingEffects.Moment.allCases) : nil
            }
            let wrong = try world.run()
            #expect(wrong == nil, "seed \(seed)")
            if wrong != nil { return }
            changed += world.provider.changed.count
        }
        #expect(changed > seeds.count / 20 || Self.areFew)
    }

    @Test(arguments: 0..<10)
    func `a clock that is set forward again and again, and kills: nobody is paid twice, nobody stays unpaid`(
        part: Int
    ) throws {
        let seeds = Self.seeds(part, of: 20)
        for seed in seeds {
            let world = try RewardWorld(seed: seed, setsClock: true) { _, random in
                random.chance(percent: 5) ? random.pick(CrashingEffects.Moment.allCases) : nil
            }
            let wrong = try world.run()
            #expect(wrong == nil, "seed \(seed)")
            if wrong != nil { return }
        }
    }

    @Test(arguments: 0..<10)
    func
        `devices are erased at any time, with kills and time-outs: nobody is paid twice, the books balance, nothing is left`(
            part: Int
        ) throws
    {
        var erased = 0
        let seeds = Self.seeds(part, of: 40)
        for seed in seeds {
            let world = try RewardWorld(seed: seed, erases: true) { _, random in
                random.chance(percent: 10) ? random.pick(CrashingEffects.Moment.allCases) : nil
            }
            let wrong = try world.run()
            #expect(wrong == nil, "seed \(seed)")
            if wrong != nil { return }
            erased += world.erased.count
        }
        #expect(erased > seeds.count / 8 || Self.areFew)
    }

    @Test(arguments: CrashingEffects.Moment.allCases)
    func `a kill at any one commit of a run with erasures ends the same`(moment: CrashingEffects.Moment) throws {
        let seed: UInt64 = 6
        let whole = try RewardWorld(seed: seed, erases: true) { _, _ in nil }
        #expect(try whole.run() == nil)
        #expect(!whole.erased.isEmpty && whole.signed == whole.erased)
        for commit in 1...whole.commits {
            let world = try RewardWorld(seed: seed, erases: true) { number, _ in number == commit ? moment : nil }
            let wrong = try world.run()
            #expect(wrong == nil, "killed at commit \(commit)")
        }
    }

    @Test(arguments: CrashingEffects.Moment.allCases)
    func `a kill at any one commit changes nothing of what is paid in the end`(moment: CrashingEffects.Moment) throws {
        let seed: UInt64 = 3
        let whole = try RewardWorld(seed: seed) { _, _ in nil }
        #expect(try whole.run() == nil)
        #expect(whole.commits > 10)
        for commit in 1...whole.commits {
            let world = try RewardWorld(seed: seed) { number, _ in number == commit ? moment : nil }
            let wrong = try world.run()
            #expect(wrong == nil, "killed at commit \(commit)")
            #expect(world.kills == 1 || world.commits < commit)
        }
    }
}
