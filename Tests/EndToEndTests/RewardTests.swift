import Foundation
import PipelineTesting
import Synchronization
import Testing

/// Rewards with real processes: paid once, whatever times out or dies.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct RewardTests {
    /// `NKUL_REWARD_RUNS`: how many lives.
    private static let count = EndToEnd.number("NKUL_REWARD_RUNS", default: 20)

    @Test
    func `each valid feedback is paid once: five deliveries, 30 % time-outs, kills between provider and commit`() throws
    {
        let outcomes = RewardLives.outcomes(of: Self.count, atOnce: 4)
        for (seed, outcome) in outcomes.enumerated() {
            #expect(outcome.faults.isEmpty, "seed \(seed): \(outcome.faults.prefix(3))")
            #expect(outcome.unheard > 0, "seed \(seed): no kill came between the provider's payment and the commit")
        }
        func sum(_ figure: KeyPath<RewardOutcome, Int>) -> Int { outcomes.reduce(0) { $0 + $1[keyPath: figure] } }
        print(
            "rewards: \(outcomes.count) runs, \(sum(\.grants)) grants, \(sum(\.kills)) kills,",
            "\(sum(\.unheard)) payments the dispatcher had not heard of when it was killed")
    }
}

/// Lives some reward runs at the same time: they mostly wait.
final class RewardLives: Sendable {
    private let outcomes: Mutex<[Int: RewardOutcome]> = Mutex([:])

    /// The outcomes of so many runs, by seed.
    static func outcomes(of count: Int, atOnce: Int) -> [RewardOutcome] {
        let lives = RewardLives()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = atOnce
        for seed in 0..<count {
            queue.addOperation { lives.live(seed) }
        }
        queue.waitUntilAllOperationsAreFinished()
        return lives.outcomes.withLock { outcomes in (0..<count).map { outcomes[$0]! } }
    }

    private func live(_ seed: Int) {
        var outcome = RewardOutcome()
        do {
            var run = try RewardRun(seed: UInt64(seed))
            defer { outcome = run.outcome }
            try run.live(leastKills: 8)
        } catch {
            outcome.faults.append("\(error)")
        }
        outcomes.withLock { [outcome] in $0[seed] = outcome }
    }
}
