internal import Foundation

/// What a browser says of a use of a passkey (WebAuthn, 5.8.1): JSON, hashed as it is.
struct ClientData: Decodable, Sendable, Equatable {
    enum Kind: String, Sendable { case create = "webauthn.create", get = "webauthn.get" }

    let type: String
    /// base64url without padding.
    let challenge: String
    let origin: String
    let crossOrigin: Bool?

    /// Nil if the bytes are none.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= 4_096, let data = try? JSONDecoder().decode(ClientData.self, from: Data(bytes)) else {
            return nil
        }
        self = data
    }
}

/// base64url without padding (RFC 4648, 5).
enum Base64URL {
    static func text(_ bytes: [UInt8]) -> String {
        String(
            Data(bytes).base64EncodedString().compactMap { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 == "=" ? nil : $0 })
    }

    /// Nil if the text is none, or has more than so many bytes.
    static func bytes(_ text: String, most: Int) -> [UInt8]? {
        guard text.utf8.count <= most * 4 / 3 + 3, !text.contains(where: { "+/=".contains($0) }) else { return nil }
        let plain = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        let padded = plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return Data(base64Encoded: padded).map { [UInt8]($0) }
    }
}
