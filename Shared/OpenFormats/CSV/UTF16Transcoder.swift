/// Makes UTF-8 of the pieces of a UTF-16 file.
struct UTF16Transcoder {
    private let isBigEndian: Bool
    /// An odd byte or a half pair at the end of a piece: it belongs to the next one.
    private var rest: [UInt8] = []

    /// - Parameter bytes: what the file begins with; nil unless that is a byte order mark, or a character below U+0100.
    init?(beginningOf bytes: [UInt8]) {
        guard bytes.count >= 2 else { return nil }
        switch (bytes[0], bytes[1]) {
        case (0xFF, 0xFE): isBigEndian = false
        case (0xFE, 0xFF): isBigEndian = true
        case (1..., 0): isBigEndian = false
        case (0, 1...): isBigEndian = true
        default: return nil
        }
    }

    /// Puts the UTF-8 of a piece in its place; a byte order mark stays one.
    mutating func replace(_ piece: inout [UInt8]) {
        let bytes = rest + piece
        var units = unitsOf(bytes)
        let isCut = units.last.map(UTF16.isLeadSurrogate) ?? false
        if isCut { units.removeLast() }
        rest = Array(bytes[(units.count * 2)...])
        piece = Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// What is left at the end of the file: nothing, if it was whole.
    mutating func finish() -> [UInt8] {
        defer { rest = [] }
        return rest.isEmpty ? [] : Array("\u{FFFD}".utf8)
    }

    private func unitsOf(_ bytes: [UInt8]) -> [UInt16] {
        stride(from: 0, to: bytes.count - 1, by: 2).map { place in
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
    }
}

/// The encoding of spreadsheets in Western Europe.
enum Windows1252 {
    /// What 0x80 to 0x9F stand for; the other bytes stand for the code point of their number.
    private static let special = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

    static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes {
            text.append((0x80..<0xA0).contains(byte) ? special[Int(byte) - 0x80] : Unicode.Scalar(byte))
        }
        return String(text)
    }
}
