/// SHA-256 of a token, as a key.
package struct TokenHash: Hashable, Sendable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    init(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count == 32)
        func word(_ place: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self) }
        words = (word(0), word(1), word(2), word(3))
    }

    package var bytes: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }

    /// A hash is random already.
    package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }

    package static func == (left: Self, right: Self) -> Bool { left.words == right.words }
}
