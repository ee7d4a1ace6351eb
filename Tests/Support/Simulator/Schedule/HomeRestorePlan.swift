import Administration
import Models

/// How a home is lost and made of a backup, once or twice: drawn from the seed.
struct HomeRestorePlan {
    /// What the operator still has of the erasures that were ordered.
    enum Orders {
        /// The disk of the home that was lost can be read.
        case previousHome
        /// A file that was written at some moment before the loss.
        case exported
        /// Nothing: what was ordered since the backup is forgotten.
        case none
    }

    /// A loss, and the restore after it.
    struct Loss {
        /// Milliseconds from the moment before: the backup, or the restore.
        let after: Int
        let orders: Orders
        /// `nkul restore` is killed at this step, and run again.
        let diesAt: RestoreStep?
        /// Thousandths of services that die while they take the restore in.
        let crashes: Int
        /// Services that lay down before the backup, for so many milliseconds.
        let absent: [Int]
    }

    /// Milliseconds after the begin of the run.
    let backedUpAfter: Int
    /// Steps of the simulation between the moments of two databases, at most.
    let steps: Int
    /// Thousandths of answered uploads that phones still have, and send again.
    let kept: Int
    let first: Loss
    /// The home is lost once more.
    let second: Loss?
    /// Then it is made of the first backup again, for there is no other yet.
    let isSameBackup: Bool

    init(_ random: inout SeededRandom) {
        backedUpAfter = random.within(1500...5000)
        steps = random.pick([0, 6, 40])
        kept = random.pick([0, 300, 1000])
        first = Self.loss(&random, within: 50...3000)
        second = random.chance(400) ? Self.loss(&random, within: 50...3500) : nil
        isSameBackup = random.chance(500)
    }

    private static func loss(_ random: inout SeededRandom, within milliseconds: ClosedRange<Int>) -> Loss {
        Loss(
            after: random.within(milliseconds),
            orders: random.pick([.previousHome, .previousHome, .exported, .none]),
            diesAt: random.chance(400) ? random.pick(RestoreStep.allCases) : nil,
            crashes: random.pick([0, 300, 700]),
            absent: random.chance(400) ? (0..<random.within(1...3)).map { _ in random.within(200...3000) } : [])
    }
}
