import Models
import Testing
import Wire

@Suite struct PackedColumnsTests {
    @Test(arguments: 0..<40) func `packing and unpacking changes nothing`(seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        let table = SeededTables.table(&dice), packed = PackedColumns(table)
        #expect(packed.rowCount == table.rowCount && packed.columnCount == table.columns.count)
        #expect(packed.columns.columns == table.columns)
    }

    /// Whole tables and parts of them, with other columns on either side, as often as it likes with the same memory.
    @Test(arguments: 0..<40) func `adding packed rows is like adding rows`(seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        // Two tables of the same forms, each without some of the columns.
        let whole = SeededTables.table(&dice, rowCount: 150)
        func some(_ dice: inout SplitMix64) -> Columns {
            Columns(
                rowCount: 150,
                columns: whole.columns.filter { _ in Int.random(in: 0..<3, using: &dice) > 0 })
        }
        var grown = Columns(rowCount: 0)
        for _ in 0..<3 {
            grown.removeAllRows()
            var expected = Columns(rowCount: 0)
            for _ in 0..<4 {
                let table = some(&dice)
                var rows: [Int32]?
                if Bool.random(using: &dice) {
                    rows = (0..<150).filter { _ in Int.random(in: 0..<4, using: &dice) > 0 }
                }
                expected.append(table, rows: rows)
                grown.append(PackedColumns(table), rows: rows)
            }
            #expect(grown.withoutEmptyColumns == expected.withoutEmptyColumns)
        }
    }

    @Test func `a filled column has one value in every row`() {
        var table = Columns(
            rowCount: 3, columns: [Column(id: 4, values: [1, nil, 3]), Column(id: 9, values: [1, 2, 3])])
        table.fill(4, encoding: .delta, with: 7)
        table.fill(5, with: 8)
        #expect(table[4]?.integers == [7, 7, 7] && table[4]?.presence == .full(3))
        #expect(table[5]?.integers == [8, 8, 8] && table.columns.map(\.id) == [4, 5, 9])
    }

    @Test func `single values are found, and absent ones are not`() {
        let bytes = (0..<32).map { UInt8($0 < 16 ? $0 : 0) }
        var one = RowSet.empty(2)
        one[0] = true
        let packed = PackedColumns(
            Columns(
                rowCount: 2,
                columns: [Column(id: 1, presence: one, fixed16: bytes), Column(id: 2, values: [5, nil])]))
        #expect(packed.identifier(of: 1, 0)?.high == 0x0001_0203_0405_0607)
        #expect(packed.identifier(of: 1, 0)?.low == 0x0809_0A0B_0C0D_0E0F)
        #expect(packed.identifier(of: 1, 1) == nil && packed.identifier(of: 2, 0) == nil)
        #expect(packed.withIntegers(of: 2) { $0.map(Array.init) } == [5, 0])
        #expect(packed.withIntegers(of: 1) { $0 == nil } && packed.withIntegers(of: 3) { $0 == nil })
    }
}
