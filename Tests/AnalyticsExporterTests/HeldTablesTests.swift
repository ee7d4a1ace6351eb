import ExporterRows
import QoE
import Storage
import SubjectRights
import TemporaryFiles
import Testing

@testable import AnalyticsExporter

/// Every table of every database is declared: personal, or free of persons.
@Suite struct HeldTablesTests {
    @Test func `what the exporter has in its tables and day files is declared, and what it gives`() throws {
        let tables = ExporterEffects.tables, dayTables = ExporterEffects.dayTables
        let directory = try TemporaryDirectory(), exporter = try TestExporter(directory)
        let faults = try exporter.folder.database.read { try tables.faults(in: $0) }
        #expect(faults == [])
        let day = try ServiceDatabase(path: ":memory:", migrations: DayFile.migrations)
        let others = try day.read { try dayTables.faults(in: $0) }
        #expect(others == [])
        #expect((tables + dayTables).lines == Set(HeldKind.rawRows(.qoe).map(\.kind)))
    }
}
