/// Walks over a JSON value in memory, one member at a time, and keeps nothing of it.
///
/// A scalar is returned as the bytes it is written with, and is well written: it can be copied into another document. Texts
/// may hold broken UTF-8, which is left to whoever reads them.
struct JSONCursor {
    /// The value is not JSON.
    struct Malformed: Error {}

    /// Levels of nesting that are followed.
    static let deepest = 32

    private let bytes: UnsafeRawBufferPointer
    private var at: Int
    private var depth = 0

    init(_ bytes: UnsafeRawBufferPointer, from start: Int = 0) {
        self.bytes = bytes
        at = start
    }

    /// The first byte of the value that comes.
    mutating func peek() throws(Malformed) -> UInt8 {
        skipBlanks()
        guard at < bytes.count else { throw Malformed() }
        return bytes[at]
    }

    /// Walks over an object; `body` is called with each name, without its quotes and as it is written, and passes its value.
    mutating func members(
        _ body: (UnsafeRawBufferPointer, inout JSONCursor) throws(Malformed) -> Void
    ) throws(Malformed) {
        try walk(from: "{", to: "}") { cursor throws(Malformed) in
            guard try cursor.peek() == UInt8(ascii: "\"") else { throw Malformed() }
            let name = try cursor.text()
            guard try cursor.peek() == UInt8(ascii: ":") else { throw Malformed() }
            cursor.at += 1
            try body(cursor.slice(name.lowerBound + 1..<name.upperBound - 1), &cursor)
        }
    }

    /// Walks over an array; `body` passes each element.
    mutating func elements(_ body: (inout JSONCursor) throws(Malformed) -> Void) throws(Malformed) {
        try walk(from: "[", to: "]", body)
    }

    /// Passes a value and returns where it stands.
    @discardableResult
    mutating func skip() throws(Malformed) -> Range<Int> {
        let first = try peek(), start = at
        switch first {
        case UInt8(ascii: "{"): try members { _, cursor throws(Malformed) in try cursor.skip() }
        case UInt8(ascii: "["): try elements { cursor throws(Malformed) in try cursor.skip() }
        case UInt8(ascii: "\""): _ = try text()
        default: try word()
        }
        return start..<at
    }

    /// Says that nothing but blanks comes behind the value.
    mutating func finish() throws(Malformed) {
        skipBlanks()
        guard at == bytes.count else { throw Malformed() }
    }

    func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[range]) }

    private mutating func walk(
        from open: Unicode.Scalar, to close: Unicode.Scalar, _ body: (inout JSONCursor) throws(Malformed) -> Void
    ) throws(Malformed) {
        guard try peek() == UInt8(ascii: open), depth < Self.deepest else { throw Malformed() }
        depth += 1
        at += 1
        if try peek() != UInt8(ascii: close) {
            while true {
                try body(&self)
                let next = try peek()
                if next == UInt8(ascii: close) { break }
                guard next == UInt8(ascii: ",") else { throw Malformed() }
                at += 1
            }
        }
        at += 1
        depth -= 1
    }

    /// Passes a text, its quotes included.
    private mutating func text() throws(Malformed) -> Range<Int> {
        let start = at
        at += 1
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\""):
                at += 1
                return start..<at
            case UInt8(ascii: "\\"): at += 2
            case ..<0x20: throw Malformed()
            default: at += 1
            }
        }
        throw Malformed()
    }

    /// Passes a number, `true`, `false` or `null`.
    private mutating func word() throws(Malformed) {
        let start = at
        while at < bytes.count, Self.isOfWord(bytes[at]) { at += 1 }
        let word = bytes[start..<at]
        let isName = ["true", "false", "null"].contains { $0.utf8.elementsEqual(word) }
        guard isName || Self.isNumber(UnsafeRawBufferPointer(rebasing: word)) else { throw Malformed() }
    }

    private mutating func skipBlanks() {
        while at < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[at]) { at += 1 }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "E"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// RFC 8259, 6.
    private static func isNumber(_ word: UnsafeRawBufferPointer) -> Bool {
        var at = 0
        func digits() -> Bool {
            let start = at
            while at < word.count, (48...57).contains(word[at]) { at += 1 }
            return at > start
        }
        func takes(_ wanted: String) -> Bool {
            guard at < word.count, wanted.utf8.contains(word[at]) else { return false }
            at += 1
            return true
        }
        _ = takes("-")
        let first = at
        guard digits(), word[first] != 48 || at == first + 1 else { return false }
        if takes("."), !digits() { return false }
        if takes("eE") {
            _ = takes("+-")
            guard digits() else { return false }
        }
        return at == word.count
    }
}

/// A name or a scalar as it is written, to be compared with a literal.
struct JSONToken {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    func `is`(_ literal: String) -> Bool { literal.utf8.elementsEqual(bytes) }

    static func ~= (literal: String, written: JSONToken) -> Bool { written.is(literal) }
}
