/// Whose rows count in alarms or for rewards.
public enum ReferenceTrustPolicy: String, Sendable, CaseIterable {
    case any, aged, trusted

    /// Whether a row is to count.
    func counts(_ row: ReferenceRow) -> Bool {
        if row.trust.isTrusted { return true }
        return self == .any || self == .aged && !row.isYoung
    }
}
