import Lanes
import Models
import QoE
import Testing
import Wire

@Suite struct BlockBuilderTests {
    @Test func `rows of a kind are merged in order`() throws {
        var builder = BlockBuilder()
        builder.append(kind: .report, columns: SampleRows.reports(3))
        builder.append(kind: .feedback, columns: SampleRows.reports(2, from: 50))
        builder.append(kind: .report, columns: SampleRows.reports(4, from: 4), rows: [0, 2])
        #expect(builder.rowCount == 7)
        let tables = builder.take()
        #expect(tables.map(\.kind.id) == [RecordKind.report.id, RecordKind.feedback.id])
        #expect(tables[0].columns[ColumnID.seq]?.integers == [1, 2, 3, 4, 6])
        #expect(tables[1].columns[ColumnID.seq]?.integers == [50, 51])
        #expect(builder.isEmpty && builder.take().isEmpty)
    }

    @Test func `half a block is a thousand rows`() {
        var builder = BlockBuilder()
        builder.append(kind: .report, columns: SampleRows.reports(1_000))
        #expect(!builder.isHalfFull)
        builder.append(kind: .report, columns: SampleRows.reports(24))
        #expect(builder.isHalfFull)
    }

    @Test func `no rows make no table`() {
        var builder = BlockBuilder()
        builder.append(kind: .report, columns: SampleRows.reports(3), rows: [])
        #expect(builder.take().isEmpty)
    }
}
