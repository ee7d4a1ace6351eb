internal import Foundation
internal import GRDB
internal import IngestSupport
internal import IngestUploads
internal import Models
internal import NIOPosix
internal import Storage

/// Devices as operators look them up: over a read-only connection, on NIO's thread pool. From any task.
struct DeviceRegister: Sendable {
    private let reader: ReadOnlyDatabase

    init(reader: ReadOnlyDatabase) { self.reader = reader }

    /// Devices by number after one, at most `limit`.
    func devices(after ordinal: Int64, limit: Int64) async throws -> [RegisteredDevice] {
        try await fetch("ordinal > ? ORDER BY ordinal LIMIT ?", [ordinal, limit])
    }

    /// The device of a UUID or a number; nil if there is none.
    func device(_ name: String) async throws -> RegisteredDevice? {
        if let id = RecordIdentifier(text: name) {
            return try await fetch(
                "substr(device_id, 1, 6) = substr(?1, 1, 6) AND device_id = ?1", [Data(id.bigEndianBytes)]
            ).first
        }
        guard let ordinal = Int64(name) else { return nil }
        return try await fetch("ordinal = ?", [ordinal]).first
    }

    private func fetch(_ condition: String, _ arguments: StatementArguments) async throws -> [RegisteredDevice] {
        try await NIOThreadPool.singleton.runIfActive { [reader] in
            try reader.read { db in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT device_id, ordinal, platform, app_version, policy_version, age_band, guardian,
                            device_key IS NOT NULL, consent, consent_version, revoked_at, activation_batch,
                            \(DeviceTrust.columns)
                        FROM devices JOIN device_names USING (ordinal) WHERE \(condition)
                        """, arguments: arguments
                ).map { RegisteredDevice($0) }
            }
        }
    }
}

extension RegisteredDevice {
    fileprivate init(_ row: Row) {
        let allowed = Consent(rawValue: row[8])
        device = RecordIdentifier(bigEndian: row[0]).text
        ordinal = row[1]
        platform = row[2]
        app_version = row[3]
        policy_version = row[4]
        age_band = row[5]
        guardian = row[6]
        device_key = row[7]
        consent = Consent.purposes.filter { allowed.contains($0.purpose) }.map(\.name)
        consent_version = row[9]
        revoked_at_ms = row[10]
        activation_batch = row[11]
        let known = DeviceTrust(row, from: 12)
        enrolled_at_ms = known.enrolledAt
        trust = known.level
        days_seen = Int(known.daysSeen)
    }
}

extension RecordIdentifier {
    fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) } }

    fileprivate init(bigEndian data: Data) {
        let bytes = [UInt8](data)
        func word(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: word(bytes.prefix(8)), low: word(bytes.dropFirst(8)))
    }
}
