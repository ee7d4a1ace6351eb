import Models
import Testing

@testable import Laboratory

struct DecimalTextTests {
    @Test(
        arguments: [
            ("0", 0), ("-84.3", -843), ("-84.25", -843), ("84.24", 842), ("1", 10), (".5", 5), ("+2.0", 20), ("7.", 70),
            ("51.8934219999999945", 519), ("1e3", 10_000), ("5E-1", 5), ("4.9e-2", 0), ("50e-3", 1), ("1e-400", 0),
            ("0e9999999", 0),
        ] as [(String, Int64)])
    func `text becomes stored units, rounded half away from zero`(text: String, stored: Int64) {
        #expect(DecimalText.stored(text, scale: 10) == stored)
    }

    @Test(
        arguments: [
            ("1.04", 10, 1), ("0.96", 10, -1), ("1.0", 10, 0), ("1.000", 10, 0), ("-1.04", -10, -1), ("-0.96", -10, 1),
            ("1e-400", 0, 1), ("-0.01", 0, -1), ("104e-2", 10, 1),
        ] as [(String, Int64, Int)])
    func `what rounding took away is known by its sign`(text: String, stored: Int64, rest: Int) throws {
        let read = try #require(DecimalText.read(text, scale: 10))
        #expect(read.value == stored && read.rest == rest)
    }

    @Test(arguments: [
        "", "-", ".", "1e", "e3", "1e3.5", "1e400", "1,5", "1 2", "0x10", "NaN", "--1", "1.2.3", "99999999999999999999",
    ])
    func `what is no decimal number is none`(text: String) { #expect(DecimalText.stored(text, scale: 10) == nil) }

    @Test func `stored units come back from their text`() {
        var random = SplitMix64(seed: 7, name: "decimals")
        for scale: Int64 in [1, 10, 100, 10_000_000] {
            for _ in 0..<200 {
                let value = Int64(bitPattern: random.next()) >> Int64(random.next() % 40 + 20)
                #expect(DecimalText.stored(DecimalText.text(value, scale: scale), scale: scale) == value)
            }
        }
    }
}
