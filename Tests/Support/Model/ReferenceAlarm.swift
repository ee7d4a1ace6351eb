/// An alarm that must have been raised: one per operator of the SIM and level-16 cell.
public struct ReferenceAlarm: Sendable, Hashable, Comparable {
    /// Five or six digits, or `unknown`.
    public let plmn: String
    /// Quadkey of level 16, or empty.
    public let cell: String

    public init(plmn: String, cell: String) {
        self.plmn = plmn
        self.cell = cell
    }

    public static func < (left: Self, right: Self) -> Bool { (left.plmn, left.cell) < (right.plmn, right.cell) }
}
