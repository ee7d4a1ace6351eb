internal import Crypto

/// A number by which a table remembers something it does not store: the same has the same number, and two things share one only by
/// a chance too small to count.
///
///     first 8 bytes of SHA-256(label, UTF-8 │ words, 8 bytes big-endian each), as SQLite's signed integer
enum ShortHash {
    /// - Parameter label: what the number is for; under another label the same words have another number.
    static func number(_ label: String, _ words: UInt64...) -> Int64 {
        var hash = SHA256()
        hash.update(data: Array(label.utf8))
        for word in words {
            withUnsafeBytes(of: word.bigEndian) { hash.update(bufferPointer: $0) }
        }
        return hash.finalize().prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }
}
