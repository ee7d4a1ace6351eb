import GRDB
import Models
import Storage

/// Lets the aggregator die right before a commit of its database: what it did to day files stays.
final class PowerCut: TransactionObserver {
    struct Failure: Error {}
    private var commitsLeft: Int?

    func install(on database: ServiceDatabase) throws {
        try database.write { $0.add(transactionObserver: self, extent: .observerLifetime) }
    }

    /// Before the commit that follows so many more.
    func arm(after commits: Int) { commitsLeft = commits }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidRollback(_ db: Database) {}
    func databaseDidCommit(_ db: Database) {}

    func databaseWillCommit() throws {
        guard let left = commitsLeft else { return }
        commitsLeft = left > 0 ? left - 1 : nil
        if left == 0 { throw Failure() }
    }
}

/// How often the power may still fail in a trial, or the process die: a pass that is always cut short never ends.
struct Accidents {
    private var left = 40

    mutating func happens(percent: Int, _ dice: inout SplitMix64) -> Bool {
        guard left > 0, dice.chance(percent: percent) else { return false }
        left -= 1
        return true
    }

    /// Lets the power fail at one of the next commits, maybe.
    mutating func mayCut(_ world: AggregatorWorld, _ dice: inout SplitMix64) {
        if happens(percent: 15, &dice) { world.powerCut.arm(after: dice.pick([0, 0, 1, 2])) }
    }
}
