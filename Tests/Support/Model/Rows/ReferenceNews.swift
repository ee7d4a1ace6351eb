/// Which records are urgent, and which of them raise an alarm alone.
enum ReferenceNews {
    private static let ahead = 300_000
    private static let hour = 3_600_000

    /// Whether it travels on the real-time lane.
    static func isUrgent(_ record: ReferenceRecord) -> Bool {
        if raises(record) || (record.number("rating") ?? 5) <= 2 { return true }
        return ["no_service", "call_drop"].contains(record.text("event"))
    }

    /// Somebody asks for help: of that one record is enough.
    static func raises(_ record: ReferenceRecord) -> Bool {
        record.text("event") == "emergency" || record.text("trigger") == "emergency"
    }

    /// Told in time.
    static func isNews(_ row: ReferenceRow) -> Bool {
        raises(row.record) && (-ahead...hour).contains(row.receivedAt - row.capturedAt)
    }
}
