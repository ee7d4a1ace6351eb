import Storage
import SubjectRights
import Testing

@testable import PrivacyWorker

/// Every table of every database is declared: personal, or free of persons.
@Suite struct HeldTablesTests {
    @Test func `what the privacy worker has in its tables is declared, and what it gives`() throws {
        let bench = try PrivacyBench(), tables = PrivacyWorkerEffects.tables
        let faults = try bench.database.read { try tables.faults(in: $0) }
        #expect(faults == [])
        #expect(tables.lines == Set(LedgerCopy(PrivacyBench.keys).held.map(\.kind)))
    }
}
