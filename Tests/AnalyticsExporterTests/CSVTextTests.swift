import Testing

@testable import ExporterRows

struct CSVTextTests {
    private func foreign(_ text: String) -> String {
        var out: [UInt8] = []
        CSVText.appendForeign(text.utf8, to: &out)
        return String(decoding: out, as: UTF8.self)
    }

    @Test func `values that need it are quoted`() {
        var out: [UInt8] = []
        CSVText.append("plain".utf8, to: &out)
        CSVText.append("a,\"b\"".utf8, to: &out)
        #expect(String(decoding: out, as: UTF8.self) == "plain\"a,\"\"b\"\"\"")
        #expect(foreign("a,\"b\"") == "\"a,\"\"b\"\"\"")
    }

    @Test(arguments: [
        ("=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\""), ("+1", "'+1"), ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"), ("  =1", "'  =1"), ("\u{A0}\u{FEFF}=1", "'\u{A0}\u{FEFF}=1"), ("\t=1", "'\t'=1"),
        ("\rx", "\"'\rx\""), ("\u{FF1D}1", "'\u{FF1D}1"), ("\"=1", "\"'\"\"=1\""), ("bad;=1", "bad;'=1"),
        ("bad; =1", "bad;' =1"), ("bad\n=1", "\"bad\n'=1\""), ("bad\t@x", "bad\t'@x"), ("=", "'="),
    ])
    func `what a spreadsheet would take for a formula gets an apostrophe`(text: String, cell: String) {
        #expect(foreign(text) == cell)
    }

    @Test(arguments: ["slow", "", "a=b", "1+1", "Orange - lent", "a@b.cm", "'=1", "très lent ;", "😕", "\u{FF21}"])
    func `other texts stay as they are`(text: String) { #expect(foreign(text) == text) }

    /// Opened with any separator, no cell is a formula, and without the apostrophes the text is what it was.
    @Test func `no text makes a formula, whatever ends a cell`() {
        var random = SystemRandomNumberGenerator()
        let alphabet: [Unicode.Scalar] = [
            "=", "+", "-", "@", "\t", "\r", "\n", ";", " ", "\"", "a", "é", ",", "\u{FF1D}", "\u{FEFF}",
        ]
        for _ in 0..<5_000 {
            var view = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...12, using: &random) { view.append(alphabet.randomElement(using: &random)!) }
            let text = String(view), cell = Self.unquoted(foreign(text))
            #expect(
                cell.unicodeScalars.filter { $0 != "'" }.elementsEqual(text.unicodeScalars), "\(text.debugDescription)")
            for part in cell.unicodeScalars.split(whereSeparator: { [";", "\t", "\n", "\r"].contains($0) }) {
                let first = part.first { ![" ", "\"", "\u{FEFF}"].contains($0) }
                #expect(
                    first.map { !["=", "+", "-", "@", "\u{FF1D}"].contains($0) } ?? true, "\(text.debugDescription)")
            }
        }
    }

    /// A cell as RFC 4180 reads it.
    private static func unquoted(_ cell: String) -> String {
        cell.hasPrefix("\"") && cell.unicodeScalars.count > 1
            ? String(cell.dropFirst().dropLast()).replacing("\"\"", with: "\"") : cell
    }
}
