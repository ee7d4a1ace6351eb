public import Models

/// One alarm: what is known of it, and what has been told.
public struct Alarm: Sendable, Equatable {
    public let key: AlarmKey
    public var severity: Severity
    /// The worst that was reported; of equally bad ones the first.
    public var problem: AlarmProblem
    /// When the first record was received.
    public let raisedAt: UnixMilliseconds
    /// When the last record was received.
    public var changedAt: UnixMilliseconds
    /// Records counted; of late erasures, how many there are.
    public var records: Int64
    /// Distinct devices among them.
    public var devices: Int64
    /// When subscribers were last told.
    public var publishedAt: UnixMilliseconds
    /// When subscribers will be told what changed since; nil if they know all.
    public var dueAt: UnixMilliseconds?

    /// The same for the same rows: operator, cell and the time it was raised.
    public var id: String {
        switch key.concern {
        case .network: "\(key.plmnText)-\(key.cell == nil ? "none" : key.cellText)-\(raisedAt)"
        case .lateErasures: "erasures-\(raisedAt)"
        }
    }

    public var topic: String { key.topic(severity) }
}
