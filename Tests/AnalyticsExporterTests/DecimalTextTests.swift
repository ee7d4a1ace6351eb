import ExporterSupport
import Models
import Testing

@testable import ExporterRows

@Suite struct DecimalTextTests {
    @Test(arguments: [
        (Int64(-843), Int64(10), "-84.3"), (50, 10, "5"), (0, 10, "0"), (-5, 10, "-0.5"), (5, 100, "0.05"),
        (38_666_700, 10_000_000, "3.86667"), (-115_166_712, 10_000_000, "-11.5166712"), (7, 1, "7"),
        (1050, 100, "10.5"),
        (.max, 1, "9223372036854775807"), (.min, 1, "-9223372036854775808"),
    ])
    func `prints stored units exactly`(value: Int64, scale: Int64, text: String) {
        var out: [UInt8] = []
        DecimalText.append(value, scale: scale, to: &out)
        #expect(String(decoding: out, as: UTF8.self) == text)
    }

    @Test func `escapes control characters and quotes in JSON`() {
        var out: [UInt8] = []
        JSONWriter.appendString("a\"b\\c\n\u{1}é".utf8, to: &out)
        #expect(String(decoding: out, as: UTF8.self) == #""a\"b\\c\n\u0001é""#)
    }
}
