public import Models
internal import QoE

/// One row of a recording.
public struct RecordingRow: Sendable, Equatable {
    /// Who sent it: a name that is unique in the recording.
    public var device: String
    public var kind: RecordingKind
    /// Numbers, choices, flags and times in stored units, by column.
    public var values: [UInt8: Int64]
    /// Identifiers and text, by column.
    public var texts: [UInt8: String]

    public init(
        device: String, kind: RecordingKind = .report, values: [UInt8: Int64] = [:], texts: [UInt8: String] = [:]
    ) {
        self.device = device
        self.kind = kind
        self.values = values
        self.texts = texts
    }

    /// When it was measured, by the recording's clock.
    public var capturedAt: UnixMilliseconds {
        get { values[ColumnID.capturedAt] ?? 0 }
        set { values[ColumnID.capturedAt] = newValue }
    }

    /// When the phone sends it, where that is later: until then it had no way to. By the same clock.
    public var sentAt: UnixMilliseconds?

    /// When it leaves the phone at the earliest: rows of a recording are in this order.
    public var due: UnixMilliseconds { max(capturedAt, sentAt ?? capturedAt) }

    /// The column that decides ``due``.
    var timeName: String { due > capturedAt ? RecordingColumns.sentAt : "captured_at_ms" }

    /// Whether it travels on the real-time lane, and so does not wait for company.
    public var isUrgent: Bool { kind.recordKind.problem { values[$0] } != nil }
}
