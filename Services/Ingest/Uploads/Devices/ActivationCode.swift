internal import Crypto

/// A code that a person types once to enrol a phone: 75 random bits and a check character, kept as SHA-256.
///
///     7K3M-Q9TX-0WEB-4HZ5     15 random characters of Crockford's base 32, then the check character
///
/// Read without regard to case, spaces and hyphens; `O` is read as 0, `I` and `L` as 1. The check character is the sum
/// Σ αⁱ·cᵢ over GF(32): a mistyped character or two exchanged ones never fit, so a slip of the finger is told without a look
/// at what codes there are.
package struct ActivationCode: Equatable {
    /// Random characters, 5 bits each.
    static let randomCharacters = 15
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// Values of the 15 characters, 0…31.
    private let values: [UInt8]

    /// A new code.
    package init(_ generator: inout some RandomNumberGenerator) {
        values = (0..<Self.randomCharacters).map { _ in UInt8.random(in: 0..<32, using: &generator) }
    }

    /// Reads what a person typed; nil if it cannot be a code.
    init?(text: String) {
        guard text.utf8.count <= 64 else { return nil }
        var values: [UInt8] = []
        for byte in text.utf8 where byte != UInt8(ascii: "-") && byte != UInt8(ascii: " ") {
            guard let value = Self.value(of: byte) else { return nil }
            values.append(value)
        }
        guard values.count == Self.randomCharacters + 1, let check = values.popLast(), check == Self.check(values)
        else { return nil }
        self.values = values
    }

    /// In groups of four, as it is printed.
    package var text: String {
        let characters = (values + [Self.check(values)]).map { Self.alphabet[Int($0)] }
        return stride(from: 0, to: characters.count, by: 4)
            .map { String(decoding: characters[$0..<$0 + 4], as: UTF8.self) }.joined(separator: "-")
    }

    /// What is kept of it. 75 random bits need no salt and no slow hash.
    package var hash: [UInt8] {
        var digest = SHA256()
        digest.update(data: Array("nkul-activation-1".utf8))
        digest.update(data: values)
        return Array(digest.finalize())
    }

    private static func value(of byte: UInt8) -> UInt8? {
        let upper = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte & ~32 : byte
        switch upper {
        case UInt8(ascii: "O"): return 0
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
        default: return alphabet.firstIndex(of: upper).map { UInt8($0) }
        }
    }

    /// Horner's rule with α = 2 in GF(2)[x]/(x⁵ + x² + 1), in which α has order 31: every place has a weight of its own.
    private static func check(_ values: [UInt8]) -> UInt8 {
        values.reduce(0) { sum, value in
            let mixed = (sum ^ value) << 1
            return mixed & 32 == 0 ? mixed : mixed ^ 0b100101
        }
    }
}
