internal import Foundation
internal import GRDB
package import Models

/// The passkey of a device, as it is kept: a public key and how often it was used.
package struct Passkey: Sendable, Equatable {
    /// As COSE numbers them.
    package enum Algorithm: Int64, Sendable {
        /// ECDSA by P-256 with SHA-256.
        case es256 = -7
        /// RSA PKCS #1 1.5 with SHA-256.
        case rs256 = -257
    }

    package let algorithm: Algorithm
    /// SubjectPublicKeyInfo, DER.
    package let publicKey: [UInt8]
    /// As the authenticator told it last; 0 where it counts nothing.
    package let signCount: UInt32
    /// When it was turned on, Unix milliseconds.
    package let madeAt: UnixMilliseconds

    package init(algorithm: Algorithm, publicKey: [UInt8], signCount: UInt32, madeAt: UnixMilliseconds) {
        self.algorithm = algorithm
        self.publicKey = publicKey
        self.signCount = signCount
        self.madeAt = madeAt
    }

    /// Most bytes of a key: RSA with 4 096 bits has 550.
    package static let mostBytes = 600
}

/// Passkeys, one of a device at most. Rows have one length and never move, so that a key that is overwritten
/// is nowhere else in the file.
extension IngestStore {
    /// `algorithm` is 0 where it was turned off.
    static let passkeyTables = """
        CREATE TABLE passkeys (
            number INTEGER PRIMARY KEY, device INTEGER NOT NULL, public_key BLOB NOT NULL, algorithm INTEGER NOT NULL,
            sign_count INTEGER NOT NULL, made_at INTEGER NOT NULL) STRICT;
        CREATE UNIQUE INDEX passkeys_of_device ON passkeys (device);
        """

    /// What one becomes that is turned off or erased.
    package static let emptiedPasskey =
        "public_key = zeroblob(length(public_key)), algorithm = 0, sign_count = 0, made_at = 0"

    /// What a device has turned on; nil: nothing.
    package func passkey(of device: UInt64) throws -> Passkey? {
        let statement = try db.cachedStatement(
            sql: "SELECT algorithm, public_key, sign_count, made_at FROM passkeys WHERE device = ?")
        guard let row = try Row.fetchOne(statement, arguments: [Int64(device)]),
            let algorithm = Passkey.Algorithm(rawValue: row[0])
        else { return nil }
        let padded = [UInt8](row[1] as Data)
        // The first two bytes are the length.
        let length = Int(padded[0]) << 8 | Int(padded[1])
        return Passkey(
            algorithm: algorithm, publicKey: [UInt8](padded[2..<(2 + length)]),
            signCount: UInt32(truncatingIfNeeded: row[2] as Int64), madeAt: row[3])
    }

    /// Turns a passkey on.
    package func save(_ passkey: Passkey, of device: UInt64) throws {
        var padded = [UInt8(passkey.publicKey.count >> 8), UInt8(passkey.publicKey.count & 255)] + passkey.publicKey
        padded += [UInt8](repeating: 0, count: Passkey.mostBytes + 2 - padded.count)
        try db.execute(
            sql: """
                INSERT INTO passkeys (device, public_key, algorithm, sign_count, made_at) VALUES (?1, ?2, ?3, ?4, ?5)
                ON CONFLICT (device) DO UPDATE SET public_key = ?2, algorithm = ?3, sign_count = ?4, made_at = ?5
                """,
            arguments: [
                Int64(device), Data(padded), passkey.algorithm.rawValue, Int64(passkey.signCount), passkey.madeAt,
            ])
    }

    /// Turns it off.
    package func removePasskey(of device: UInt64) throws {
        try db.execute(
            sql: "UPDATE passkeys SET \(Self.emptiedPasskey) WHERE device = ?", arguments: [Int64(device)])
    }

    /// Notes that a passkey was used; false if its count did not rise, as that of a copy of it would not.
    package func takePasskey(of device: UInt64, signCount: UInt32) throws -> Bool {
        try db.cachedStatement(
            sql: """
                UPDATE passkeys SET sign_count = ?2
                WHERE device = ?1 AND algorithm != 0 AND (?2 > sign_count OR (?2 = 0 AND sign_count = 0))
                """
        ).execute(arguments: [Int64(device), Int64(signCount)])
        return db.changesCount > 0
    }
}
