public import Models

/// What there is one alarm of: an operator in a cell, or something that Nkul itself owes.
public struct AlarmKey: Sendable, Hashable {
    /// What the alarm is about.
    public enum Concern: Sendable, Hashable {
        /// An operator's network.
        case network
        /// Erasures that are not completed in time: a matter of regulators, of no network and no place.
        case lateErasures
    }

    public let concern: Concern
    /// The SIM's operator.
    public let plmn: PLMN
    /// The cell of level 16; nil where the position is missing or too unsure for one.
    public let cell: Quadkey?

    public init(plmn: PLMN, cell: Quadkey?) {
        self.init(concern: .network, plmn: plmn, cell: cell)
    }

    private init(concern: Concern, plmn: PLMN, cell: Quadkey?) {
        self.concern = concern
        self.plmn = plmn
        self.cell = cell
    }

    static let lateErasures = AlarmKey(concern: .lateErasures, plmn: .unknown, cell: nil)

    /// Five or six digits, or `unknown`.
    public var plmnText: String { plmn == .unknown ? "unknown" : plmn.text }

    /// The quadkey, or nothing.
    public var cellText: String { cell?.text ?? "" }

    /// The topic of an alarm of this severity: `alerts/62401/critical/1222230012301230`.
    public func topic(_ severity: Severity) -> String {
        "alerts/\(plmnText)/\(severity.rawValue)/\(cellText)"
    }
}
