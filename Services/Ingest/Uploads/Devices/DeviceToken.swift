internal import Crypto

/// The secret a phone authenticates with: 256 random bits, told once, kept as their SHA-256.
package enum DeviceToken {
    /// A new token: 43 characters of base64url.
    package static func text(_ random: [UInt8]) -> String {
        precondition(random.count == 32)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var out: [UInt8] = []
        var bits: UInt32 = 0, count: UInt32 = 0
        for byte in random {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                out.append(alphabet[Int(bits >> count & 63)])
            }
        }
        out.append(alphabet[Int(bits << (6 - count) & 63)])
        return String(decoding: out, as: UTF8.self)
    }

    /// SHA-256 of a token's text.
    package static func hash(_ text: Substring) -> TokenHash {
        var text = text
        var digest = SHA256()
        text.withUTF8 { digest.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        return digest.finalize().withUnsafeBytes { TokenHash($0) }
    }
}

/// SHA-256 of a token, as a key.
package struct TokenHash: Hashable, Sendable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    package init(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count == 32)
        func word(_ place: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self) }
        words = (word(0), word(1), word(2), word(3))
    }

    package var bytes: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }

    /// A hash is random already.
    package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }

    package static func == (left: Self, right: Self) -> Bool { left.words == right.words }
}
