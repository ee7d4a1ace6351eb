internal import Foundation
internal import GRDB
internal import IngestSupport
internal import IngestUploads
internal import Models
internal import Storage

/// How a device becomes known.
extension IngestStore {
    /// Adds a device, with its first consent.
    ///
    /// - Parameter batch: whose activation code the device used up, if it did.
    /// - Throws: ``StorageError`` if all numbers of ``OwnerOrdinal/devices`` are given out.
    func enrol(
        _ enrolment: Enrolment, activatedBy batch: Int64? = nil, now: UnixMilliseconds
    ) throws -> ConsentState {
        try db.cachedStatement(
            sql: """
                INSERT INTO devices (platform, app_version, consent, consent_version, policy_version, age_band, guardian,
                    enrolled_at, activation_batch) VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            enrolment.platform, enrolment.appVersion, enrolment.consent.rawValue, enrolment.policyVersion,
            enrolment.ageBand, enrolment.hasGuardian, now, batch,
        ])
        let ordinal = db.lastInsertedRowID
        guard OwnerOrdinal.devices.contains(UInt64(bitPattern: ordinal)) else {
            throw StorageError(
                .corrupt, path: "devices", message: "number \(ordinal): devices have \(OwnerOrdinal.devices)")
        }
        try db.cachedStatement(
            sql: "INSERT INTO device_names (ordinal, device_id, token_hash, device_key) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [
            ordinal, Data(enrolment.deviceID), Data(enrolment.tokenHash), enrolment.deviceKey.map { Data($0) },
        ])
        return ConsentState(
            identity: DeviceIdentity(
                ordinal: UInt64(ordinal), consent: enrolment.consent, consentVersion: 1,
                trust: DeviceTrust(enrolledAt: now, isActivated: batch != nil)),
            policyVersion: enrolment.policyVersion, ageBand: enrolment.ageBand, hasGuardian: enrolment.hasGuardian,
            changedAt: now)
    }
}
