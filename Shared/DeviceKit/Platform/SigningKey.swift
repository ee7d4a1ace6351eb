/// The phone's own key, by which the service knows that a wish comes from this phone and not from somebody who has its token: P-256,
/// made in the platform's key store, which does not give the private half away. Any thread.
public protocol SigningKey: Sendable {
    /// The public half as an uncompressed point of 65 bytes (X9.63), always the same; makes the key if there is none yet. Nil: the
    /// key store has none to give.
    func publicPoint() async -> [UInt8]?
    /// Signs by ECDSA with SHA-256: r and s, 32 bytes each. Nil: it did not happen, for example as the person did not unlock it.
    func sign(_ message: [UInt8]) async -> [UInt8]?
}
