internal import Crypto
internal import Foundation

/// The public key that a phone enrols with: P-256, as its platform gives it out.
package enum DeviceKey {
    /// Reads a key in base64 or base64url, padded or not: the uncompressed point of 65 bytes (X9.63, as iOS gives it) or
    /// a SubjectPublicKeyInfo in DER (as Android gives it).
    ///
    /// - Returns: the X9.63 form, nil if it is no point of the curve.
    package static func read(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= 256 else { return nil }
        let plain = text.replacing("-", with: "+").replacing("_", with: "/").prefix { $0 != "=" }
        let padded = plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: String(padded)) else { return nil }
        let key =
            (try? P256.Signing.PublicKey(x963Representation: data))
            ?? (try? P256.Signing.PublicKey(derRepresentation: data))
        return key.map { [UInt8]($0.x963Representation) }
    }
}
