import Foundation
import PipelineTesting
import ProviderEmulators
import Synchronization
import Testing

/// Rewards with real processes: paid once, whatever times out or dies.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct RewardTests {
    /// `NKUL_REWARD_RUNS`: how many lives.
    private static let count = EndToEnd.number("NKUL_REWARD_RUNS", default: 10)
    /// `NKUL_PROVIDER_RUNS`: how many of each dialect of a provider.
    private static let countOfDialect = EndToEnd.number("NKUL_PROVIDER_RUNS", default: 5)

    @Test
    func `each valid feedback is paid once: five deliveries, 30 % time-outs, kills between provider and commit`() throws
    {
        let outcomes = RewardLives.outcomes(of: Self.count, atOnce: 4) { _ in .sandbox }
        for (seed, outcome) in outcomes.enumerated() {
            #expect(outcome.faults.isEmpty, "seed \(seed): \(outcome.faults.prefix(3))")
            #expect(outcome.unheard > 0, "seed \(seed): no kill came between the provider's payment and the commit")
        }
        print("rewards: \(RewardOutcome.text(outcomes))")
    }

    @Test
    func `the same in each dialect of a provider over HTTP, with callbacks that are lost, doubled or nonsense`() throws
    {
        let dialects = EmulatedProvider.Dialect.allCases
        let count = Self.countOfDialect * dialects.count
        let outcomes = RewardLives.outcomes(of: count, atOnce: dialects.count) { seed in
            .emulator(try EmulatedPayer(dialects[seed % dialects.count], seed: UInt64(seed)))
        }
        for (place, dialect) in dialects.enumerated() {
            let own = stride(from: place, to: count, by: dialects.count).map { outcomes[$0] }
            for outcome in own { #expect(outcome.faults.isEmpty, "\(dialect): \(outcome.faults.prefix(3))") }
            #expect(own.contains { $0.unheard > 0 }, "\(dialect): no kill came between its payment and the commit")
            #expect(own.contains { $0.callbacks > 0 }, "\(dialect): no callback was taken")
            print("rewards by \(dialect): \(RewardOutcome.text(own))")
        }
    }
}

extension RewardOutcome {
    fileprivate static func text(_ outcomes: [RewardOutcome]) -> String {
        func sum(_ figure: KeyPath<RewardOutcome, Int>) -> Int { outcomes.reduce(0) { $0 + $1[keyPath: figure] } }
        return "\(outcomes.count) runs, \(sum(\.grants)) grants, \(sum(\.kills)) kills, \(sum(\.callbacks)) callbacks, "
            + "\(sum(\.unheard)) payments the dispatcher had not heard of when it was killed"
    }
}

/// Lives some reward runs at the same time: they mostly wait.
final class RewardLives: Sendable {
    private let outcomes: Mutex<[Int: RewardOutcome]> = Mutex([:])

    /// The outcomes of so many runs, by seed.
    static func outcomes(
        of count: Int, atOnce: Int, payer: @escaping @Sendable (_ seed: Int) throws -> RewardPayer
    ) -> [RewardOutcome] {
        let lives = RewardLives()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = atOnce
        for seed in 0..<count {
            queue.addOperation { lives.live(seed, payer) }
        }
        queue.waitUntilAllOperationsAreFinished()
        return lives.outcomes.withLock { outcomes in (0..<count).map { outcomes[$0]! } }
    }

    private func live(_ seed: Int, _ payer: (Int) throws -> RewardPayer) {
        var outcome = RewardOutcome()
        do {
            let payer = try payer(seed)
            var run = try RewardRun(seed: UInt64(seed), payer: payer)
            defer { outcome = run.outcome }
            try run.live(leastKills: 8)
            if case .emulator(let payer) = payer { try payer.stop() }
        } catch {
            outcome.faults.append("\(error)")
        }
        outcomes.withLock { [outcome] in $0[seed] = outcome }
    }
}
