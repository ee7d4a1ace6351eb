import Testing

@testable import BatchAggregator

@Suite struct SliceSizeTests {
    @Test func aSliceHasABoundedNumberOfRowsAndCells() {
        var size = SliceSize()
        #expect(size.parts(day: 0, rows: 0) == 0)
        #expect(size.parts(day: 0, rows: 1) == 1)
        size.learn(day: 0, rows: 1_000_000, cells: 1_000, bytes: 1_000)
        #expect(size.parts(day: 0, rows: 4 * SliceSize.rows) == 4)
        size.learn(day: 0, rows: 10_000, cells: 300_000, bytes: 300_000)
        #expect(size.parts(day: 0, rows: 100_000) == 30 * 100_000 / SliceSize.cells)
    }

    @Test func aDayWithSmallCellsSaysNothingOfAnother() {
        var size = SliceSize()
        size.learn(day: 0, rows: 10_000, cells: 10_000, bytes: 10_000 * 1_700)
        size.learn(day: 1, rows: 10_000, cells: 30_000, bytes: 10_000)
        #expect(size.parts(day: 0, rows: 100_000) == (100_000 * 1_700 + SliceSize.bytes - 1) / SliceSize.bytes)
        #expect(size.parts(day: 1, rows: 100_000) == 3 * 100_000 / SliceSize.cells)
    }
}
