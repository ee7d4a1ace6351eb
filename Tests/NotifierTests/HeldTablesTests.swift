import Storage
import SubjectRights
import Testing

@testable import Notifier

/// Every table of the database is declared: personal, or free of persons.
@Suite struct HeldTablesTests {
    @Test func `what the notifier has in its tables is declared, and nothing of it is a person's`() throws {
        let database = try ServiceDatabase(path: ":memory:", migrations: NotifierEffects.migrations)
        #expect(try database.read { try NotifierEffects.tables.faults(in: $0) } == [])
        #expect(NotifierEffects.tables.allSatisfy { $0.rows == nil })
    }
}
