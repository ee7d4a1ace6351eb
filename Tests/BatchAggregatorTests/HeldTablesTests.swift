import AggregatorCells
import Storage
import SubjectRights
import Testing

@testable import BatchAggregator

/// Every table of every database is declared: personal, or free of persons.
@Suite struct HeldTablesTests {
    @Test func `what the aggregator has in its tables and day files is declared, and what it gives`() throws {
        let tables = AggregatorEffects.tables, dayTables = AggregatorEffects.dayTables
        let world = try AggregatorWorld()
        let faults = try world.database.read { try tables.faults(in: $0) }
        #expect(faults == [])
        let day = try ServiceDatabase(path: ":memory:", migrations: AggregatorSchema.dayMigrations)
        let others = try day.read { try dayTables.faults(in: $0) }
        #expect(others == [])
        #expect(
            (tables + dayTables).lines == Set(OpenRowCopy(world.effects.open, world.effects.rules).held.map(\.kind)))
    }
}
