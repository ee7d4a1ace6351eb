public import Models

/// What there is one alarm of: an operator in a cell.
public struct AlarmKey: Sendable, Hashable {
    /// The SIM's operator.
    public let plmn: PLMN
    /// The cell of level 16; nil where the position is missing or too unsure for one.
    public let cell: Quadkey?

    public init(plmn: PLMN, cell: Quadkey?) {
        self.plmn = plmn
        self.cell = cell
    }

    /// Five or six digits, or `unknown`.
    public var plmnText: String { plmn == .unknown ? "unknown" : plmn.text }

    /// The quadkey, or nothing.
    public var cellText: String { cell?.text ?? "" }

    /// The topic of an alarm of this severity: `alerts/62401/critical/1222230012301230`.
    public func topic(_ severity: Severity) -> String {
        "alerts/\(plmnText)/\(severity.rawValue)/\(cellText)"
    }
}
