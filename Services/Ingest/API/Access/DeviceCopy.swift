internal import Foundation
internal import GRDB
internal import IngestSupport
internal import IngestUploads
internal import Models
internal import QoE
internal import SubjectRights

/// What ingest itself holds about a device; given with the answer, over a read-only connection, and sealed to nobody.
enum DeviceCopy {
    /// Texts of receipts of a page.
    private static let receiptsAtOnce = 4

    private struct DeviceLine: Encodable {
        let device_id: String
        let platform: String
        let app_version: String
        let policy_version: String
        let age_band: String?
        let guardian: Bool
        let device_key: String?
        let consent: [String]
        let consent_version: Int64
        let consent_changed_at_ms: UnixMilliseconds
        let enrolled_at_ms: UnixMilliseconds
        let activation_batch: Int64?
        let trust: Int
        let days_seen: Int
        let last_seen_day: Int
        let signed_at_ms: UnixMilliseconds?
        let signs_consents: Bool
        let payout_at_ms: UnixMilliseconds?
        let revoked_at_ms: UnixMilliseconds?
        let upload_key_made_at_ms: UnixMilliseconds?
        let passkey_made_at_ms: UnixMilliseconds?
        let push_since_ms: UnixMilliseconds?
        let memory_bytes: Int
    }

    private struct PromptLine: Encodable {
        let asked_at_ms: UnixMilliseconds
        let rule: String?
        let outcome: String?
        let alarm: String?
        let moment: String?
    }

    private struct RequestLine: Encodable {
        let request_id: String
        let requested_at_ms: UnixMilliseconds
        var scope: ErasureScope?
        var source: String?
    }

    /// After a place: nil begins with the device and its requests, then come receipts by their batch, in hexadecimal.
    static func page(of device: UInt64, after place: String?, in db: Database) throws -> SubjectPage {
        let device = Int64(device)
        guard let place else {
            let lines =
                try lines(of: device, db) + erasures(of: device, db) + copies(of: device, db) + prompts(of: device, db)
            return SubjectPage(lines: lines, next: "")
        }
        return try receipts(of: device, after: Hexadecimal.bytes(place) ?? [], db)
    }

    private static func lines(of device: Int64, _ db: Database) throws -> [SubjectLine] {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT device_id, platform, app_version, policy_version, age_band, guardian, device_key, consent,
                    consent_version, COALESCE(consent_changed_at, enrolled_at), activation_batch, signed_at, payout_at,
                    revoked_at, signs_consents, (SELECT length(memory) FROM memories WHERE device = ordinal),
                    (SELECT made_at FROM upload_keys WHERE device = ordinal),
                    (SELECT made_at FROM passkeys WHERE device = ordinal AND algorithm != 0),
                    (SELECT since FROM push_devices WHERE device = ordinal), \(DeviceTrust.columns)
                FROM devices JOIN device_names USING (ordinal) WHERE ordinal = ?
                """, arguments: [device])
        guard let row else { return [] }
        let allowed = Consent(rawValue: row[7]), trust = DeviceTrust(row, from: 19)
        let line = DeviceLine(
            device_id: RecordIdentifier(bytes: [UInt8](row[0] as Data)).text, platform: row[1], app_version: row[2],
            policy_version: row[3], age_band: row[4], guardian: row[5],
            device_key: (row[6] as Data?)?.base64EncodedString(),
            consent: Consent.purposes.filter { allowed.contains($0.purpose) }.map(\.name), consent_version: row[8],
            consent_changed_at_ms: row[9], enrolled_at_ms: trust.enrolledAt, activation_batch: row[10],
            trust: trust.level, days_seen: Int(trust.daysSeen), last_seen_day: Int(trust.lastDay),
            signed_at_ms: (row[11] as Int64?).map { $0 * 1_000 }, signs_consents: row[14], payout_at_ms: row[12],
            revoked_at_ms: row[13], upload_key_made_at_ms: row[16], passkey_made_at_ms: row[17],
            push_since_ms: row[18], memory_bytes: row[15] ?? 0)
        return [try SubjectLine("device", at: line.enrolled_at_ms, line)]
    }

    private static func erasures(of device: Int64, _ db: Database) throws -> [SubjectLine] {
        try String.fetchAll(
            db, sql: "SELECT document FROM erasure_requests WHERE device = ? ORDER BY requested_at", arguments: [device]
        ).map { text in
            let request = try JSONDecoder().decode(ErasureRequestDocument.self, from: Data(text.utf8))
            return try SubjectLine(
                "erasure_request", at: request.requestedAt,
                RequestLine(
                    request_id: request.subject.request, requested_at_ms: request.requestedAt,
                    scope: request.subject.scope, source: request.source.rawValue))
        }
    }

    private static func copies(of device: Int64, _ db: Database) throws -> [SubjectLine] {
        try Row.fetchAll(
            db, sql: "SELECT request, requested_at, source FROM access_requests WHERE device = ? ORDER BY requested_at",
            arguments: [device]
        ).map { row in
            try SubjectLine(
                "access_request", at: row[1], RequestLine(request_id: row[0], requested_at_ms: row[1], source: row[2]))
        }
    }

    private static func prompts(of device: Int64, _ db: Database) throws -> [SubjectLine] {
        try Row.fetchAll(
            db,
            sql: "SELECT asked_at, rule, outcome, alarm, moment FROM push_prompts WHERE device = ? ORDER BY asked_at",
            arguments: [device]
        ).map { row in
            try SubjectLine(
                "push_prompt", at: row[0],
                PromptLine(
                    asked_at_ms: row[0], rule: PromptRule(rawValue: row[1])?.name,
                    outcome: (row[2] as Int64?).flatMap(PromptOutcome.init(rawValue:))?.name, alarm: row[3],
                    moment: (row[4] as Int64?).flatMap(PushPromptDocument.Moment.init(number:))?.rawValue))
        }
    }

    private static func receipts(of device: Int64, after batch: [UInt8], _ db: Database) throws -> SubjectPage {
        let rows = try Row.fetchAll(
            db,
            sql: "SELECT batch, given_at FROM receipts WHERE device = ? AND batch > ? ORDER BY batch LIMIT ?",
            arguments: [device, Data(batch), receiptsAtOnce])
        let lines = try rows.compactMap { row -> SubjectLine? in
            let batch = [UInt8](row[0] as Data), givenAt: UnixMilliseconds = row[1]
            guard let body = try IngestStore(db).receiptBody(Int64(device), batch) else { return nil }
            let json = Array("{\"given_at_ms\":\(givenAt),\"receipt\":".utf8) + body + [UInt8(ascii: "}")]
            return SubjectLine("upload_receipt", at: givenAt, json: json)
        }
        let last: Data? = rows.last?[0]
        return SubjectPage(
            lines: lines, next: rows.count < receiptsAtOnce ? nil : last.map { Hexadecimal.text([UInt8]($0)) })
    }
}

extension RecordIdentifier {
    /// From 16 bytes, most significant first.
    init(bytes: [UInt8]) {
        func word(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: word(bytes.prefix(8)), low: word(bytes.dropFirst(8)))
    }
}
