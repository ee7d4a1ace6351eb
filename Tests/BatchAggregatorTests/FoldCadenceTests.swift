import Testing

@testable import BatchAggregator

@Suite struct FoldCadenceTests {
    /// A cadence after one fold of a single slice, begun in the middle of blocks.
    private func cadence(afterFoldFrom begin: Int64, to end: Int64) -> FoldCadence {
        var cadence = FoldCadence()
        cadence.blocksCame()
        cadence.sliceBegan(begin, isFirstOfFold: true)
        cadence.sliceEnded(end, isLastOfFold: true)
        return cadence
    }

    @Test func theFirstFoldIsDueAtOnce() {
        var cadence = FoldCadence()
        cadence.blocksCame()
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: false) == 0)
    }

    @Test func theSlicesOfAFoldFollowOneAnother() {
        var cadence = FoldCadence()
        cadence.blocksCame()
        cadence.sliceBegan(10_000, isFirstOfFold: true)
        cadence.sliceEnded(10_300, isLastOfFold: false)
        #expect(cadence.due(isWithinFold: true, isWholeFoldWaiting: false) == 10_300)
    }

    @Test func whileBlocksComeFoldingTakesATwentiethOfTheTime() {
        var cadence = cadence(afterFoldFrom: 10_000, to: 11_000)
        cadence.blocksCame()
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: false) == 30_000)
    }

    @Test func whenBlocksPauseItGoesOnAtOnce() {
        var cadence = cadence(afterFoldFrom: 10_000, to: 12_000)
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: false) == 50_000)
        cadence.blocksPaused()
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: false) == 12_000)
        cadence.sliceBegan(12_700, isFirstOfFold: true)
        cadence.sliceEnded(14_000, isLastOfFold: true)
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: false) == 14_000)
        cadence.blocksCame()
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: false) == 50_000)
    }

    @Test func aSmallFoldDoesNotEndTheRestAfterALargeOne() {
        var cadence = cadence(afterFoldFrom: 10_000, to: 12_000)
        cadence.blocksPaused()
        cadence.sliceBegan(13_000, isFirstOfFold: true)
        cadence.sliceEnded(13_100, isLastOfFold: true)
        cadence.blocksCame()
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: false) == 50_000)
    }

    @Test func itRestsForAMinuteAtMost() {
        let cadence = cadence(afterFoldFrom: 10_000, to: 40_000)
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: false) == 100_000)
    }

    @Test func itDoesNotRestWhenAWholeFoldWaits() {
        var cadence = cadence(afterFoldFrom: 10_000, to: 12_000)
        cadence.blocksCame()
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: true) == 12_000)
    }

    @Test func foldsBeginAtMostOnceASecond() {
        let cadence = cadence(afterFoldFrom: 10_000, to: 10_000)
        #expect(cadence.due(isWithinFold: false, isWholeFoldWaiting: true) == 11_000)
    }

    @Test func aFullLaneIsTriedAgainInASecond() {
        var cadence = FoldCadence()
        cadence.blocksCame()
        cadence.postpone(10_000)
        #expect(cadence.due(isWithinFold: true, isWholeFoldWaiting: true) == 11_000)
    }
}
