import Storage
import SubjectRights
import Testing

@testable import Notifier

/// Every table of the database is declared: personal, or free of persons.
@Suite struct HeldTablesTests {
    @Test
    func `what the notifier has in its tables is declared, and only what subscribers' browsers are asked is personal`()
        throws
    {
        let database = try ServiceDatabase(path: ":memory:", migrations: NotifierEffects.migrations)
        #expect(try database.read { try NotifierEffects.tables.faults(in: $0) } == [])
        let personal = NotifierEffects.tables.filter { $0.rows != nil }.map(\.name)
        #expect(personal == ["push_subscriptions", "push_questions"])
    }
}
