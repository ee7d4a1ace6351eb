import Crypto
import Foundation
import NkulDevice

/// The key of a phone of `nkul phone`, which a real phone's secure hardware would keep.
struct PhoneKey: SigningKey {
    private let key: P256.Signing.PrivateKey

    /// - Parameter bytes: of the private half, 32.
    /// - Throws: if they are no key.
    init(_ bytes: [UInt8]) throws { key = try P256.Signing.PrivateKey(rawRepresentation: bytes) }

    /// Bytes of a new key.
    static func newBytes() -> [UInt8] { [UInt8](P256.Signing.PrivateKey().rawRepresentation) }

    func publicPoint() async -> [UInt8]? { [UInt8](key.publicKey.x963Representation) }

    func sign(_ message: [UInt8]) async -> [UInt8]? {
        (try? key.signature(for: message)).map { [UInt8]($0.rawRepresentation) }
    }
}
