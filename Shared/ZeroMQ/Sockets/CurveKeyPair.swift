internal import CZeroMQ

/// A CURVE25519 key pair in Z85, 40 characters each.
public struct CurveKeyPair: Sendable, Equatable {
    public let publicKey: String
    public let secretKey: String

    /// A new pair from the system's randomness.
    public static func generate() throws(ZeroMQError) -> CurveKeyPair {
        var publicKey = [CChar](repeating: 0, count: 41)
        var secretKey = [CChar](repeating: 0, count: 41)
        guard zmq_curve_keypair(&publicKey, &secretKey) == 0 else { throw .last(.keys) }
        return CurveKeyPair(publicKey: text(publicKey), secretKey: text(secretKey))
    }

    /// The pair of a secret key.
    public init(secretKey: String) throws(ZeroMQError) {
        try CurveKeyPair.check(secretKey)
        var publicKey = [CChar](repeating: 0, count: 41)
        guard zmq_curve_public(&publicKey, secretKey) == 0 else { throw .last(.keys) }
        self.init(publicKey: CurveKeyPair.text(publicKey), secretKey: secretKey)
    }

    private init(publicKey: String, secretKey: String) {
        self.publicKey = publicKey
        self.secretKey = secretKey
    }

    /// The 32 bytes of a key, as ZAP carries them.
    static func bytes(_ key: String) throws(ZeroMQError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 32)
        guard key.utf8.count == 40, zmq_z85_decode(&bytes, key) != nil else {
            throw ZeroMQError(.keys, code: EINVAL, detail: "a CURVE key is 40 characters of Z85")
        }
        return bytes
    }

    static func check(_ key: String) throws(ZeroMQError) { _ = try bytes(key) }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix(40).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
