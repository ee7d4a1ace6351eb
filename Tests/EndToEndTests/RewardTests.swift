import Foundation
import PipelineTesting
import Testing

/// Rewards with real processes: paid once, whatever times out or dies.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct RewardTests {
    /// `NKUL_REWARD_RUNS`: how many lives.
    private static let count = EndToEnd.number("NKUL_REWARD_RUNS", default: 20)

    @Test("each valid feedback is paid once: five deliveries, 30 % time-outs, kills between provider and commit")
    func paidOnce() throws {
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
