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

    /// Whether it travels on the real-time lane, and so does not wait for company.
    public var isUrgent: Bool { kind.recordKind.problem { values[$0] } != nil }
}
