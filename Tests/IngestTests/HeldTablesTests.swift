import Storage
import SubjectRights
import Testing

@testable import IngestAPI
@testable import IngestCommit

/// Every table of every database is declared: personal, or free of persons.
@Suite struct HeldTablesTests {
    @Test func `what ingest has in its tables is declared, and what it gives`() throws {
        let bench = try EngineBench(), tables = IngestEngine.tables
        let faults = try bench.database.read { try tables.faults(in: $0) }
        #expect(faults == [])
        #expect(tables.lines == Set(HeldKind.ofDevice.map(\.kind)))
    }

    @Test func `what the copies have in their tables is declared; they give nothing`() throws {
        let bench = try CopiesBench(), tables = CopiesEffects.tables
        _ = try bench.engine()
        let faults = try bench.database.read { try tables.faults(in: $0) }
        #expect(faults == [])
        #expect(tables.lines.isEmpty)
    }
}
