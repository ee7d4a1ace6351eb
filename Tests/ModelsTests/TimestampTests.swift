import Models
import Testing

struct TimestampTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2024-02-29T23:59:59.5Z", 1_709_251_199_500),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000), ("2017-01-01T00:59:60.5+01:00", 1_483_228_800_500),
            ("2026-03-01T10:00:00.250+01:00", 1_772_355_600_250), ("2026-03-01 09:00:00z", 1_772_355_600_000),
            ("2030-07-31T03:51:52.122446+19:44", 1_911_700_312_122 - (19 * 60 + 44) * 60_000),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000), ("0000-03-01T00:00:00Z", -62_162_035_200_000),
        ] as [(String, Int64)])
    func `RFC 3339 is read`(text: String, milliseconds: Int64) {
        #expect(Timestamp.milliseconds(text) == milliseconds)
    }

    @Test(arguments: [
        "2026-11-27T10:17:60Z", "2016-12-31T23:59:60+01:00", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-01-01T24:00:00Z", "2026-01-01T00:00:00", "now", "",
    ])
    func `what is no time is none`(text: String) { #expect(Timestamp.milliseconds(text) == nil) }

    @Test func `what is written is read again`() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<10_000 {
            let time = Int64(random.next() % 315_537_897_600_000) - 62_135_596_800_000
            #expect(Timestamp.milliseconds(Timestamp.text(time)) == time)
        }
    }
}
