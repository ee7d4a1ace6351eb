import GRDB
import Storage

/// Dies in the place of a commit: what the step has done to files of its own is there, what it has done to the database is not.
final class TestCrash: TransactionObserver {
    struct Died: Error {}

    private var commits: Int

    /// - Parameter commits: so many transactions that change anything are committed before.
    init(after commits: Int) { self.commits = commits }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) {}
    func databaseDidRollback(_ db: Database) {}

    func databaseWillCommit() throws {
        if commits == 0 { throw Died() }
        commits -= 1
    }
}

extension ServiceDatabase {
    func add(_ crash: TestCrash) {
        try? write { $0.add(transactionObserver: crash, extent: .databaseLifetime) }
    }
}
