/// What stands for swift-crypto in the fuzz targets: the digest only names an upload there, and building BoringSSL with
/// instruments would take longer than all the rest.
public struct SHA256 {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)

    public init() {}

    public static func hash(data: UnsafeRawBufferPointer) -> SHA256Digest {
        var digest = SHA256()
        digest.update(bufferPointer: data)
        return digest.finalize()
    }

    public mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            words.0 = (words.0 ^ UInt64(byte)) &* 0x100_0000_01B3
            words.1 = (words.1 ^ words.0) &* 0x9E37_79B9_7F4A_7C15
            words.2 ^= words.1 >> 29
            words.3 = words.3 &+ words.2
        }
    }

    public mutating func update(data: [UInt8]) { data.withUnsafeBytes { update(bufferPointer: $0) } }

    public func finalize() -> SHA256Digest { SHA256Digest(words: words) }
}

/// 32 bytes.
public struct SHA256Digest {
    let words: (UInt64, UInt64, UInt64, UInt64)

    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try Swift.withUnsafeBytes(of: words, body)
    }
}
