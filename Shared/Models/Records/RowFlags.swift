/// What ingest noticed about a row; bits of the column `flags`, which is absent where none is set.
public struct RowFlags: OptionSet, Sendable {
    public let rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The device used this `seq` before for another record.
    public static let seqReused = RowFlags(rawValue: 1)
    /// The position was coarsened or removed, or the event removed, because consent does not cover it.
    public static let consentReduced = RowFlags(rawValue: 2)
    /// Without consent to `operator_sharing`: counts in statistics that the regulator
    /// sees; never shown to an operator, as a row or in a cell.
    public static let notForOperators = RowFlags(rawValue: 4)
    /// Without consent to `research`: left out of open-data files.
    public static let notForResearch = RowFlags(rawValue: 8)
    /// Without consent to `rewards`: no grant for it.
    public static let notForRewards = RowFlags(rawValue: 16)
    /// The device is not trusted: it enrolled without an activation code and was seen on fewer than 7 days.
    public static let notTrusted = RowFlags(rawValue: 32)
    /// The device had enrolled less than 24 hours before the upload arrived.
    public static let young = RowFlags(rawValue: 64)
}
