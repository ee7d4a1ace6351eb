import Testing

@testable import BatchAggregator

@Suite struct FoldCadenceTests {
    /// A cadence after one fold of a single slice, begun in the middle of blocks.
    private func cadence(afterFoldFrom begin: Int64, to end: Int64) -> FoldCadence {
        var cadence = FoldCadence()
        cadence.blocksCame(begin)
        cadence.sliceBegan(begin, isFirstOfFold: true)
        cadence.sliceEnded(end, isLastOfFold: true)
        return cadence
    }

    @Test func theFirstFoldIsDueOnceBlocksPause() {
        var cadence = FoldCadence()
        cadence.blocksCame(5_000)
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: false) <= 5_700)
    }

    @Test func theSlicesOfAFoldFollowOneAnother() {
        var cadence = FoldCadence()
        cadence.blocksCame(10_000)
        cadence.sliceBegan(10_000, isFirstOfFold: true)
        cadence.sliceEnded(10_300, isLastOfFold: false)
        #expect(cadence.due(isWithinFold: true, isWholeFoldWaiting: false) == 10_300)
    }

    @Test func whileBlocksComeFoldingTakesAQuarterOfTheTime() {
        var cadence = cadence(afterFoldFrom: 10_000, to: 11_000)
        cadence.blocksCame(13_700)
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: false) == 14_000)
    }

    @Test func whenBlocksPauseItGoesOnAtOnce() {
        var cadence = cadence(afterFoldFrom: 10_000, to: 12_000)
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: false) == 12_700)
        cadence.sliceBegan(12_700, isFirstOfFold: true)
        cadence.sliceEnded(14_000, isLastOfFold: true)
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: false) == 14_000)
        cadence.blocksCame(14_050)
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: false) == 14_750)
    }

    @Test func aLongSliceIsNoPauseOfTheBlocks() {
        var cadence = cadence(afterFoldFrom: 10_000, to: 12_000)
        cadence.blocksCame(12_010)
        cadence.blocksCame(17_950)
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: false) == 18_000)
    }

    @Test func itDoesNotRestWhenAWholeFoldWaits() {
        var cadence = cadence(afterFoldFrom: 10_000, to: 12_000)
        cadence.blocksCame(12_010)
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: true) == 12_000)
    }

    @Test func foldsBeginAtMostOnceASecond() {
        let cadence = cadence(afterFoldFrom: 10_000, to: 10_000)
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: true) == 11_000)
    }

    @Test func aFullLaneIsTriedAgainInASecond() {
        var cadence = FoldCadence()
        cadence.blocksCame(10_000)
        cadence.postpone(10_000)
        #expect(cadence.due(isWithinFold: true, isWholeFoldWaiting: true) == 11_000)
    }
}
