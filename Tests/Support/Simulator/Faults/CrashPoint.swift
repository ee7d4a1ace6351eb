import GRDB
import Storage

/// Lets a service die right before its n-th commit from now: the transaction is rolled back and nothing after it happens.
///
/// Installed on the service's own connection, so that every commit counts, also one that should not be there.
final class CrashPoint: TransactionObserver {
    private var commitsLeft: Int?
    /// Transactions committed so far.
    private(set) var commits = 0

    init(on database: ServiceDatabase) throws {
        try database.write { $0.add(transactionObserver: self, extent: .observerLifetime) }
    }

    /// The service will die before the commit that follows `commits` more.
    func arm(after commits: Int) {
        commitsLeft = commits
    }

    func disarm() {
        commitsLeft = nil
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidRollback(_ db: Database) {}
    func databaseDidCommit(_ db: Database) { commits += 1 }

    func databaseWillCommit() throws {
        guard let left = commitsLeft else { return }
        commitsLeft = left > 0 ? left - 1 : nil
        if left == 0 { throw SimulatedCrash() }
    }
}
