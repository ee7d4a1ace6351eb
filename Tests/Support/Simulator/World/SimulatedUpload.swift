/// One upload of a phone: sent again with the same body until it is answered.
struct SimulatedUpload {
    /// Which phone, counted from 0.
    let phone: Int
    /// When the phone first sends it, Unix milliseconds.
    let sendAt: Int64
    /// All of one kind: `report` or `feedback`.
    private(set) var records: [ReferenceRecord]
    /// `Idempotency-Key`, if the phone names its uploads.
    let key: String?
    /// How far the phone's clock is ahead of the true time, in milliseconds; nil if it does not say when it sends.
    let clockError: Int64?

    /// Moves the times of all records.
    mutating func capture(later milliseconds: Int64) {
        for index in records.indices {
            guard let time = records[index].number("captured_at_ms") else { continue }
            records[index].fields["captured_at_ms"] = .number(time + Double(milliseconds))
        }
    }
}
