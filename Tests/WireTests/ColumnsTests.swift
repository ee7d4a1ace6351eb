import Models
import Testing
import Wire

@Suite struct ColumnsTests {
    @Test(arguments: 0..<40) func `appending is like having been one table`(seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        let whole = SeededTables.table(&dice, rowCount: 200)
        let cut = Int32.random(in: 0...200, using: &dice)
        var table = whole.gathered(Array(0..<cut))
        table.append(whole, rows: Array(cut..<200))
        #expect(table == whole)
    }

    @Test(arguments: 0..<20) func `gathering picks rows in order`(seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        let table = SeededTables.table(&dice, rowCount: 150)
        let rows = (0..<90).map { _ in Int32.random(in: 0..<150, using: &dice) }
        let picked = table.gathered(rows)
        #expect(picked.rowCount == 90)
        for (column, original) in zip(picked.columns, table.columns) {
            for (index, row) in rows.enumerated() {
                #expect(column.presence[index] == original.presence[Int(row)])
                if column.encoding.isInteger {
                    #expect(column.integer(index) == original.integer(Int(row)))
                } else {
                    #expect(column.value(index) == original.value(Int(row)))
                }
            }
        }
    }

    @Test func `columns of one side are absent in the rows of the other`() {
        var table = Columns(rowCount: 1, columns: [Column(id: 1, values: [1]), Column(id: 5, strings: [[9]])])
        table.append(Columns(rowCount: 2, columns: [Column(id: 1, values: [2, 3]), Column(id: 2, values: [nil, 4])]))
        #expect(
            table
                == Columns(
                    rowCount: 3,
                    columns: [
                        Column(id: 1, values: [1, 2, 3]), Column(id: 2, values: [nil, nil, 4]),
                        Column(id: 5, strings: [[9], nil, nil]),
                    ]))
    }

    @Test func `appending to nothing keeps the columns`() {
        let table = Columns(rowCount: 1, columns: [Column(id: 1, values: [1])])
        var sum = Columns(rowCount: 0)
        sum.append(table)
        #expect(sum == table)
    }

    @Test func `a dropped column is gone and the others stay`() {
        let table = Columns(rowCount: 1, columns: [Column(id: 1, values: [1]), Column(id: 2, values: [2])])
        #expect(table.dropping(1) == Columns(rowCount: 1, columns: [Column(id: 2, values: [2])]))
    }
}
