import IngestUploads
import Models
import QoE
import Wire

/// Shortcuts for reading uploads in tests.
enum Reading {
    static let now: Int64 = 1_760_000_000_000
    static let reader = UploadReader(.qoe, rowLimit: 2_000, inflatedLimit: 1_000_000)

    static func upload(
        _ body: [UInt8], kind: RecordKind = .report, device: UInt64 = 7, consent: Consent = .all,
        format: UploadRequest.Format = .json, isCompressed: Bool = false, key: String? = nil, sentAt: Int64? = nil,
        arrivedAt: Int64 = now, listsAll: Bool = false, reader: UploadReader = reader
    ) throws -> Upload {
        let identity = DeviceIdentity(ordinal: device, consent: consent, consentVersion: 3)
        let request = UploadRequest(
            kind: kind, format: format, isCompressed: isCompressed, idempotencyKey: key, sentAt: sentAt,
            arrivedAt: arrivedAt,
            listsAll: listsAll)
        return try body.withUnsafeBytes { try reader.read($0, of: identity, as: request) }
    }

    static func upload(
        _ text: String, kind: RecordKind = .report, consent: Consent = .all, format: UploadRequest.Format = .json,
        sentAt: Int64? = nil
    ) throws -> Upload {
        try upload(Array(text.utf8), kind: kind, consent: consent, format: format, sentAt: sentAt)
    }

    /// The only rejection of one record that has the given fields beside identity and time.
    static func rejection(_ fields: String, kind: RecordKind = .report) throws -> RowRejection? {
        let start = #"{"seq":1,"captured_at_ms":\#(now)"#
        let text = "[" + start + "," + fields + "}," + start + #","rating":3}]"#
        return try upload(text, kind: kind).rejections.first
    }

    /// What is left out of a record that has the given fields beside identity, time and a speed.
    static func leftOut(_ fields: String, kind: RecordKind = .report) throws -> [LeftOutValue] {
        let text = #"{"seq":1,"captured_at_ms":\#(now),"rating":3,"speed_mps":1,"# + fields + "}"
        let upload = try upload(text, kind: kind)
        guard upload.rejections.isEmpty, upload.value(ColumnID.speed) == 100 else { return [] }
        return upload.leftOut[0] ?? []
    }

    /// The problem that a body leads to.
    static func problem(
        _ body: [UInt8], format: UploadRequest.Format = .json, isCompressed: Bool = false,
        reader: UploadReader = Reading.reader
    ) -> DeviceAPIError? {
        do {
            _ = try upload(body, format: format, isCompressed: isCompressed, reader: reader)
            return nil
        } catch {
            return error as? DeviceAPIError
        }
    }
}

extension Upload {
    var urgent: [Int] { (0..<rows.rowCount).filter(isUrgent) }
    var flags: RowFlags { RowFlags(rawValue: value(ColumnID.flags) ?? 0) }
    func value(_ column: UInt8, _ row: Int = 0) -> Int64? { columns[column]?.integer(row) }
    func text(_ column: UInt8, _ row: Int = 0) -> String? {
        columns[column]?.value(row).map { String(decoding: $0, as: UTF8.self) }
    }
}
