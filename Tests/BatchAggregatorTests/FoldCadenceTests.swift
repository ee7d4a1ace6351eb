import Testing

@testable import BatchAggregator

@Suite struct FoldCadenceTests {
    @Test func theFirstFoldIsDueOnceBlocksPause() {
        var cadence = FoldCadence()
        cadence.blocksCame(5_000)
        #expect(cadence.due(isWithinFold: false) <= 5_200)
    }

    @Test func whileBlocksComeFoldingTakesAQuarterOfTheTime() {
        var cadence = FoldCadence()
        cadence.foldBegan(10_000)
        cadence.sliceEnded(10_000, duration: 500, isBehind: false)
        cadence.blocksCame(12_000)
        #expect(cadence.due(isWithinFold: true) == 12_000)
        cadence.blocksCame(10_600)
        #expect(cadence.due(isWithinFold: true) == 11_600)
    }

    @Test func whenBlocksPauseItGoesOnAtOnce() {
        var cadence = FoldCadence()
        cadence.blocksCame(9_000)
        cadence.foldBegan(10_000)
        cadence.sliceEnded(10_000, duration: 500, isBehind: false)
        #expect(cadence.due(isWithinFold: true) == 11_500)
        cadence.sliceBegan(11_500)
        cadence.sliceEnded(11_500, duration: 500, isBehind: false)
        #expect(cadence.due(isWithinFold: true) == 12_000)
        cadence.blocksCame(12_050)
        #expect(cadence.due(isWithinFold: true) == 13_050)
    }

    @Test func aLongSliceIsNoPauseOfTheBlocks() {
        var cadence = FoldCadence()
        cadence.blocksCame(9_990)
        cadence.foldBegan(10_000)
        cadence.sliceBegan(10_000)
        cadence.sliceEnded(10_000, duration: 2_000, isBehind: false)
        cadence.blocksCame(12_010)
        cadence.blocksCame(17_950)
        #expect(cadence.due(isWithinFold: true) == 18_000)
    }

    @Test func whenItIsBehindItDoesNotPause() {
        var cadence = FoldCadence()
        cadence.sliceEnded(10_000, duration: 500, isBehind: true)
        cadence.blocksCame(10_450)
        #expect(cadence.due(isWithinFold: true) == 10_500)
    }

    @Test func foldsBeginAtMostOnceASecond() {
        var cadence = FoldCadence()
        cadence.foldBegan(10_000)
        cadence.sliceEnded(10_000, duration: 0, isBehind: false)
        #expect(cadence.due(isWithinFold: false) == 11_000)
    }
}
