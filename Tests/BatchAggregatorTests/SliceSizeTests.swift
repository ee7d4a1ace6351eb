import Testing

@testable import AggregatorFolding

@Suite struct SliceSizeTests {
    @Test func `a slice has a bounded number of rows and cells`() {
        var size = SliceSize()
        #expect(size.parts(day: 0, rows: 0, bases: 0) == 0)
        #expect(size.parts(day: 0, rows: 1, bases: 1) == 1)
        size.learn(day: 0, bases: 1_000, cells: 1_000, bytes: 1_000)
        #expect(size.parts(day: 0, rows: 4 * SliceSize.rows, bases: 1_000) == 4)
        size.learn(day: 0, bases: 10_000, cells: 300_000, bytes: 300_000)
        #expect(size.parts(day: 0, rows: 100_000, bases: 100_000) == 30 * 100_000 / SliceSize.cells)
    }

    @Test func `a day with small cells says nothing of another`() {
        var size = SliceSize()
        size.learn(day: 0, bases: 10_000, cells: 10_000, bytes: 10_000 * 1_700)
        size.learn(day: 1, bases: 10_000, cells: 30_000, bytes: 10_000)
        let parts = (100_000 * 1_700 + SliceSize.bytes - 1) / SliceSize.bytes
        #expect(size.parts(day: 0, rows: 100_000, bases: 100_000) == parts)
        #expect(size.parts(day: 1, rows: 100_000, bases: 100_000) == 3 * 100_000 / SliceSize.cells)
    }

    /// A hundred rows change three thousand cells; a million rows in the same places not three hundred times as many.
    @Test func `a fold of few rows does not cut the next into thousands`() {
        var size = SliceSize()
        size.learn(day: 0, bases: 25_000, cells: 80_000, bytes: 80_000 * 700)
        let parts = size.parts(day: 0, rows: 1_000_000, bases: 25_000)
        size.learn(day: 0, bases: 100, cells: 3_000, bytes: 3_000 * 1_500)
        #expect(size.parts(day: 0, rows: 1_000_000, bases: 25_000) == parts)
        #expect(parts == 10)
    }
}
