/// Perceived severity of an alarm (ITU-T X.733).
public enum Severity: String, Sendable, Codable, CaseIterable, Comparable {
    case cleared, indeterminate, warning, minor, major, critical

    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self)! }
}
