import Storage
import SubjectRights
import Testing

@testable import AlertRouter

/// Every table of every database is declared: personal, or free of persons.
@Suite struct HeldTablesTests {
    @Test func `what the router has in its tables is declared, and what it gives`() throws {
        let bench = try RouterBench(), tables = AlertRouterEffects.tables
        let faults = try bench.database.read { try tables.faults(in: $0) }
        #expect(faults == [])
        #expect(tables.lines == Set(ContributionCopy(bench.effects.store).held.map(\.kind)))
    }
}
