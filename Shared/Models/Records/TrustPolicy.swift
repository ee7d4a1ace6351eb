/// Whose records count where many invented devices could do harm: in alarms and for rewards.
public enum TrustPolicy: String, Sendable, CaseIterable {
    /// Those of every enrolled device.
    case any
    /// Those of trusted devices, and of others from 24 hours after their enrolment.
    case aged
    /// Those of trusted devices.
    case trusted

    /// Whether a row counts, by what ingest noticed about its device.
    public func counts(_ flags: RowFlags) -> Bool {
        switch self {
        case .any: true
        case .aged: !flags.isSuperset(of: [.notTrusted, .young])
        case .trusted: !flags.contains(.notTrusted)
        }
    }
}
