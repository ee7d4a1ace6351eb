import GRDB
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
