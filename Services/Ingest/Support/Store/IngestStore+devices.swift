internal import Foundation
internal import GRDB
package import IngestUploads
package import Models

/// Devices and what they allow.
extension IngestStore {
    /// The device of a token.
    func device(tokenHash: [UInt8]) throws -> DeviceIdentity? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(Self.identityColumns) FROM device_names JOIN devices USING (ordinal)
                WHERE substr(token_hash, 1, 8) = substr(?1, 1, 8) AND token_hash = ?1
                """)
        return try Row.fetchOne(statement, arguments: [Data(tokenHash)]).map(Self.identity)
    }

    /// What a device allows, nil if it is not known.
    package func consent(of device: UInt64) throws -> ConsentState? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(Self.identityColumns), policy_version, age_band, guardian,
                    COALESCE(consent_changed_at, enrolled_at) FROM devices WHERE ordinal = ?
                """)
        guard let row = try Row.fetchOne(statement, arguments: [Int64(device)]) else { return nil }
        return ConsentState(
            identity: try Self.identity(row), policyVersion: row[8], ageBand: row[9], hasGuardian: row[10],
            changedAt: row[11])
    }

    /// The public key that a device enrolled with, X9.63; nil if it has none.
    func key(of device: UInt64) throws -> [UInt8]? {
        let statement = try db.cachedStatement(sql: "SELECT device_key FROM device_names WHERE ordinal = ?")
        return try Row.fetchOne(statement, arguments: [Int64(device)]).flatMap { $0[0] as Data? }.map { [UInt8]($0) }
    }

    /// Notes that a signature of a device takes effect in this transaction; false if one of this second or later did before.
    package func takeSignature(of device: UInt64, madeAt seconds: Int64) throws -> Bool {
        try db.cachedStatement(
            sql: "UPDATE devices SET signed_at = ?2 WHERE ordinal = ?1 AND COALESCE(signed_at, -1) < ?2"
        ).execute(arguments: [Int64(device), seconds])
        return db.changesCount > 0
    }

    /// Whether a device has ever signed a change of its consent.
    package func signsConsents(_ device: UInt64) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT signs_consents FROM devices WHERE ordinal = ?")
        return try Bool.fetchOne(statement, arguments: [Int64(device)]) ?? false
    }

    package func noteSignedConsent(of device: UInt64) throws {
        try db.cachedStatement(sql: "UPDATE devices SET signs_consents = 1 WHERE ordinal = ? AND signs_consents = 0")
            .execute(arguments: [Int64(device)])
    }

    package func save(_ state: ConsentState) throws {
        let past = ConsentHistory(state.identity.past).encoded
        try db.cachedStatement(
            sql: """
                UPDATE devices SET consent = ?, consent_version = ?, consent_past = ?, policy_version = ?, age_band = ?,
                    guardian = ?, consent_changed_at = ? WHERE ordinal = ?
                """
        ).execute(arguments: [
            state.identity.consent.rawValue, state.identity.consentVersion, Data(past), state.policyVersion,
            state.ageBand, state.hasGuardian, state.changedAt, Int64(state.identity.ordinal),
        ])
    }

    static let identityColumns = "ordinal, consent, consent_version, consent_past, \(DeviceTrust.columns)"

    /// From a row that begins with ``identityColumns``.
    static func identity(_ row: Row) throws -> DeviceIdentity {
        let past = try row.withUnsafeData(atIndex: 3) { data in
            try (data ?? Data()).withUnsafeBytes { try ConsentHistory($0).past }
        }
        return DeviceIdentity(
            ordinal: UInt64(row[0] as Int64), consent: Consent(rawValue: row[1]), consentVersion: row[2], past: past,
            trust: DeviceTrust(row, from: 4))
    }
}

/// Which devices have given a payout number; the number itself is not here.
extension IngestStore {
    package func beginPayout(of device: UInt64, at now: UnixMilliseconds) throws {
        try db.cachedStatement(sql: "UPDATE devices SET payout_at = ? WHERE ordinal = ?")
            .execute(arguments: [now, Int64(device)])
    }

    /// False if there was none.
    package func endPayout(of device: UInt64) throws -> Bool {
        try db.cachedStatement(sql: "UPDATE devices SET payout_at = NULL WHERE ordinal = ? AND payout_at IS NOT NULL")
            .execute(arguments: [Int64(device)])
        return db.changesCount > 0
    }
}
