import Models
import Testing

@Suite struct SplitMix64Tests {
    @Test func `the sequence is that of the published generator`() {
        var random = SplitMix64(seed: 1_234_567)
        let drawn = (0..<5).map { _ in random.next() }
        #expect(
            drawn == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }

    @Test func `values stay below their bound and reach all of it`() {
        var random = SplitMix64(seed: 1)
        #expect(Set((0..<500).map { _ in random.below(7) }) == Set(0..<7))
        #expect(Set((0..<500).map { _ in random.below(7 as Int64) }) == Set(0..<7))
    }

    @Test func `names of one seed draw apart`() {
        var one = SplitMix64(seed: 1, name: "phone 1"), two = SplitMix64(seed: 1, name: "phone 2")
        #expect(one.next() != two.next())
    }
}
