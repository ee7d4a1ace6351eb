import AggregatorFolding
import Testing

@Suite struct FoldCadenceTests {
    /// A cadence after one fold of a single slice, begun in the middle of blocks.
    private func cadence(
        afterFoldFrom begin: Int64, to end: Int64, rows: Int = 100_000
    ) -> FoldCadence {
        var cadence = FoldCadence()
        cadence.blocksCame(rows: rows, now: begin)
        cadence.sliceBegan(begin, isFirstOfFold: true)
        cadence.sliceEnded(end, isLastOfFold: true)
        return cadence
    }

    @Test func `the first fold is due at once`() {
        var cadence = FoldCadence()
        cadence.blocksCame(rows: 1, now: 12_000)
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: false) == 0)
    }

    @Test func `the slices of a fold follow one another`() {
        var cadence = FoldCadence()
        cadence.blocksCame(rows: 1, now: 12_000)
        cadence.sliceBegan(10_000, isFirstOfFold: true)
        cadence.sliceEnded(10_300, isLastOfFold: false)
        #expect(cadence.due(isWithinFold: true, isWholeFoldWaiting: false) == 10_300)
    }

    @Test func `while blocks come folding takes a twentieth of the time`() {
        var cadence = cadence(afterFoldFrom: 10_000, to: 11_000)
        cadence.blocksCame(rows: 1, now: 12_000)
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: false) == 30_000)
    }

    @Test func `when blocks pause it goes on at once`() {
        var cadence = cadence(afterFoldFrom: 10_000, to: 12_000)
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: false) == 32_000)
        cadence.blocksPaused()
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: false) == 12_000)
        cadence.sliceBegan(12_700, isFirstOfFold: true)
        cadence.sliceEnded(14_000, isLastOfFold: true)
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: false) == 14_000)
        cadence.blocksCame(rows: 1, now: 12_000)
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: false) == 32_000)
    }

    @Test func `a small fold does not end the rest after a large one`() {
        var cadence = cadence(afterFoldFrom: 10_000, to: 12_000)
        cadence.blocksPaused()
        cadence.sliceBegan(13_000, isFirstOfFold: true)
        cadence.sliceEnded(13_100, isLastOfFold: true)
        cadence.blocksCame(rows: 1, now: 12_000)
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: false) == 32_000)
    }

    @Test(arguments: [(100_000, 20_000), (20_000, 3_000), (1_000, 0)] as [(Int, Int64)])
    func `how long it rests at most depends on how many rows come, however long a fold takes`(
        rows: Int, longest: Int64
    ) {
        let cadence = cadence(afterFoldFrom: 10_000, to: 40_000, rows: rows)
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: false) == 40_000 + longest)
    }

    @Test func `it does not rest when a whole fold waits`() {
        var cadence = cadence(afterFoldFrom: 10_000, to: 12_000)
        cadence.blocksCame(rows: 1, now: 12_000)
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: true) == 12_000)
    }

    @Test func `folds begin at most once a second`() {
        let cadence = cadence(afterFoldFrom: 10_000, to: 10_000)
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: true) == 11_000)
    }

    @Test func `a full lane is tried again in a second`() {
        var cadence = FoldCadence()
        cadence.blocksCame(rows: 1, now: 12_000)
        cadence.postpone(10_000)
        #expect(cadence.due(isWithinFold: true, isWholeFoldWaiting: true) == 11_000)
    }
}
