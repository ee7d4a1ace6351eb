package import Channels
internal import Crypto
internal import Foundation

/// Encrypts what a browser is pushed (RFC 8291): one record of `aes128gcm` (RFC 8188).
///
///     salt 16 │ record size 4, big-endian │ 65 │ our public key 65 │ ciphertext of text and one byte 2 │ tag 16
package enum PushCipher {
    /// Most bytes of text: a push service takes 4 096 of body.
    package static let mostBytes = 3_900

    /// - Parameters:
    ///   - privateKey: P-256, of this message alone.
    ///   - salt: 16 random bytes, of this message alone.
    package static func encrypt(
        _ text: [UInt8], for subscription: ChannelSecrets.PushSubscription, privateKey: [UInt8], salt: [UInt8]
    ) throws -> [UInt8] {
        let own = try P256.KeyAgreement.PrivateKey(rawRepresentation: privateKey)
        let theirs = try P256.KeyAgreement.PublicKey(x963Representation: subscription.publicKey)
        let ownPublic = [UInt8](own.publicKey.x963Representation)
        let shared = try own.sharedSecretFromKeyAgreement(with: theirs)
        let material = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: subscription.authentication,
            sharedInfo: Array("WebPush: info\u{0}".utf8) + subscription.publicKey + ownPublic, outputByteCount: 32)
        func derived(_ info: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: material, salt: salt, info: Array("\(info)\u{0}".utf8), outputByteCount: count)
        }
        let key = derived("Content-Encoding: aes128gcm", 16)
        let nonce = derived("Content-Encoding: nonce", 12).withUnsafeBytes { Array($0) }
        let box = try AES.GCM.seal(text + [2], using: key, nonce: AES.GCM.Nonce(data: nonce))
        return salt + [0, 0, 0x10, 0] + [65] + ownPublic + [UInt8](box.ciphertext) + [UInt8](box.tag)
    }

    package static func newKey() -> [UInt8] { [UInt8](P256.KeyAgreement.PrivateKey().rawRepresentation) }
}

/// By whom a push service knows the sender (RFC 8292).
package struct VAPIDKey: Sendable {
    private let key: [UInt8]
    /// P-256, X9.63, in base64url.
    package let publicText: String
    /// Whom a push service may ask: `mailto:…` or `https://…`.
    package let contact: String

    /// - Parameter key: a private key of P-256, 32 bytes.
    package init(_ key: [UInt8], contact: String) throws {
        self.key = key
        self.contact = contact
        publicText = Base64URL.text(try P256.Signing.PrivateKey(rawRepresentation: key).publicKey.x963Representation)
    }

    package static func newKey() -> [UInt8] { [UInt8](P256.Signing.PrivateKey().rawRepresentation) }

    /// The header `Authorization` of a request to an origin, good for twelve hours.
    package func authorization(for origin: String, at seconds: Int64) throws -> String {
        let header = Base64URL.text(Array(#"{"typ":"JWT","alg":"ES256"}"#.utf8))
        let claims = Base64URL.text(
            Array("{\"aud\":\"\(origin)\",\"exp\":\(seconds + 43_200),\"sub\":\"\(contact)\"}".utf8))
        let signature = try P256.Signing.PrivateKey(rawRepresentation: key).signature(
            for: Array("\(header).\(claims)".utf8))
        return "vapid t=\(header).\(claims).\(Base64URL.text(signature.rawRepresentation)),k=\(publicText)"
    }
}
