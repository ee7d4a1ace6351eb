internal import Crypto

/// What an authenticator says of a use of a passkey (WebAuthn, 6.1):
///
///     0      SHA-256 of the relying party's name
///     32     flags: 1 the person was there, 4 it was verified who, 64 a credential follows
///     33     how often it was used, big-endian
///     37     of a new one: credential and key
struct AuthenticatorData: Sendable, Equatable {
    let relyingPartyHash: [UInt8]
    let isVerified: Bool
    let hasCredential: Bool
    let signCount: UInt32

    /// Nil if the bytes are none.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 37, bytes.count <= 4_096 else { return nil }
        relyingPartyHash = Array(bytes[..<32])
        isVerified = bytes[32] & 0b101 == 0b101
        hasCredential = bytes[32] & 64 != 0
        signCount = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        guard hasCredential ? bytes.count > 55 : true else { return nil }
    }

    /// Whether it is of a relying party.
    func isOf(_ relyingParty: String) -> Bool {
        Array(SHA256.hash(data: Array(relyingParty.utf8))) == relyingPartyHash
    }
}
