internal import Foundation

/// A text that is signed with Ed25519: JWS in compact form (RFC 7515, RFC 8037).
///
///     BASE64URL({"alg":"EdDSA","kid":key,"typ":"JOSE"}) "." BASE64URL(payload) "." BASE64URL(signature over what is before)
public struct CompactJWS: Sendable {
    private struct Header: Codable {
        let alg: String
        let kid: String
        let typ: String
    }

    /// By which key it is signed.
    public let keyID: String
    public let payload: [UInt8]
    public let signature: [UInt8]
    /// What the signature is over.
    public let signed: [UInt8]

    /// Signs.
    ///
    /// - Parameter sign: the signature over some bytes.
    public init(_ payload: [UInt8], keyID: String, sign: ([UInt8]) throws -> some Sequence<UInt8>) throws {
        let header = try SortedJSON.bytes(of: Header(alg: Self.algorithm, kid: keyID, typ: "JOSE"))
        signed = Array((Self.base64URL(header) + "." + Self.base64URL(payload)).utf8)
        signature = Array(try sign(signed))
        (self.keyID, self.payload) = (keyID, payload)
    }

    /// Reads one; its signature is not looked at.
    ///
    /// - Returns: nil if it is none, or one of another algorithm.
    public init?(_ text: String) {
        let parts = text.trimmingCharacters(in: .whitespacesAndNewlines)
            .split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let header = Self.bytes(parts[0]), let payload = Self.bytes(parts[1]),
            let signature = Self.bytes(parts[2]),
            let known = try? JSONDecoder().decode(Header.self, from: Data(header)), known.alg == Self.algorithm
        else { return nil }
        (keyID, self.payload, self.signature) = (known.kid, payload, signature)
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    public var text: String { String(decoding: signed, as: UTF8.self) + "." + Self.base64URL(signature) }

    private static let algorithm = "EdDSA"

    private static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Nil if it is no BASE64URL without padding.
    private static func bytes(_ text: String) -> [UInt8]? {
        guard !text.contains(where: { "+/=".contains($0) }) else { return nil }
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4)).map { [UInt8]($0) }
    }
}
