/// An alarm that must have been raised: of an operator of the SIM and a level-16 cell, from its first record until an hour without
/// another.
public struct ReferenceAlarm: Sendable, Hashable, Comparable {
    /// Five or six digits, or `unknown`.
    public let plmn: String
    /// Quadkey of level 16, or empty.
    public let cell: String
    /// When its first record was received, Unix milliseconds; 0 in what holds for all alarms of the operator and cell.
    public let raisedAt: Int

    public init(plmn: String, cell: String, raisedAt: Int = 0) {
        self.plmn = plmn
        self.cell = cell
        self.raisedAt = raisedAt
    }

    /// False for alarms of rules, of which the model knows nothing: their cells are coarser.
    public var isOfOneRecord: Bool { cell.isEmpty || cell.count == 16 }

    /// Operator and cell, without a time.
    public var place: ReferenceAlarm { ReferenceAlarm(plmn: plmn, cell: cell) }

    public static func < (left: Self, right: Self) -> Bool {
        (left.plmn, left.cell, left.raisedAt) < (right.plmn, right.cell, right.raisedAt)
    }
}

/// What is known of an alarm.
public struct ReferenceAlarmState: Sendable, Equatable {
    /// Rows that count in it, in the order of their receipt.
    public internal(set) var rows: [ReferenceRow] = []
    /// When the last record came that let it go on.
    var lastNews = 0

    /// When it is over, if nothing else comes.
    public var endsAt: Int { lastNews + 3_600_000 }
    /// Something came after the end that belongs before it.
    public var hasLateEvidence: Bool { lastRow >= endsAt }
    public var lastRow: Int { rows.map(\.receivedAt).max() ?? 0 }
}
