/// Values of CSV as RFC 4180 has them, such that no spreadsheet takes a subscriber's text for a formula.
enum CSVText {
    /// Appends what this program writes by itself: in quotation marks if it has a comma, a quotation mark or a line end.
    static func append(_ text: some Collection<UInt8>, to out: inout [UInt8]) {
        let quote = UInt8(ascii: "\"")
        guard text.contains(where: { $0 == quote || $0 == UInt8(ascii: ",") || $0 == 0x0A || $0 == 0x0D }) else {
            return out.append(contentsOf: text)
        }
        out.append(quote)
        for byte in text {
            if byte == quote { out.append(quote) }
            out.append(byte)
        }
        out.append(quote)
    }

    /// Appends what somebody else wrote, with an apostrophe wherever a spreadsheet would see the beginning of a formula.
    static func appendForeign(_ text: some Collection<UInt8>, to out: inout [UInt8]) {
        // Nearly every text has none of these; the last byte begins the wide forms.
        guard text.contains(where: { isBeginning(Unicode.Scalar($0)) || $0 == 0xEF }) else {
            return append(text, to: &out)
        }
        append(neutral(String(decoding: text, as: UTF8.self)).utf8, to: &out)
    }

    /// The text with an apostrophe at the beginning of a cell that would be a formula, blanks and quotation marks before it
    /// passed over.
    ///
    /// A cell begins where the text does, and behind what ends one where a file is opened with other separators, as
    /// spreadsheets that speak French do: a semicolon, a tab, a line end.
    private static func neutral(_ text: String) -> String {
        var result: [Unicode.Scalar] = []
        // Where the cell begins that has had nothing but blanks so far.
        var begin: Int? = 0
        for scalar in text.unicodeScalars {
            if let place = begin, isBeginning(scalar) {
                result.insert("'", at: place)
                begin = nil
            }
            result.append(scalar)
            if isEnd(scalar) {
                begin = result.count
            } else if !isBlank(scalar) {
                begin = nil
            }
        }
        var neutral = String.UnicodeScalarView()
        neutral.append(contentsOf: result)
        return String(neutral)
    }

    /// What makes a formula of a cell, with the wide forms that some spreadsheets take for the same.
    private static func isBeginning(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "=", "+", "-", "@", "\t", "\r", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
        default: false
        }
    }

    private static func isEnd(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ";", "\t", "\n", "\r": true
        default: false
        }
    }

    /// What is passed over before a formula.
    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "\u{FEFF}", "\u{200B}": true
        default: scalar.properties.isWhitespace
        }
    }
}
