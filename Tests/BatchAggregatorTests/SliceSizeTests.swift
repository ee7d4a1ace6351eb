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
        #expect(size.parts(day: 0, rows: 100_000) == 75)
    }
}
