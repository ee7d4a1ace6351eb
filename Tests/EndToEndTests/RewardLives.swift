import Foundation
import Synchronization

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
