/// A rule of alarms, as its document says it: so many devices, or so great a share of them, with something bad.
public struct ReferenceRule: Sendable, Equatable {
    public enum Kind: String, Sendable {
        /// At least `set` devices said something bad within the window.
        case count
        /// The latest word of at least the share `set` of the devices, of which there are `least`, is bad.
        case ratio
    }

    /// What is bad, in the natural unit of the field.
    public enum Bad: Sendable, Equatable {
        case words([String])
        case above(Int)
        case below(Int)
    }

    public var kind: Kind
    /// By its name in the device API.
    public var field: String
    public var bad: Bad
    /// Minutes.
    public var window, holdSet, holdClear: Int
    /// Devices, or a share in hundredths.
    public var set, clear: Int
    /// Fewest devices of a share.
    public var least: Int
    /// Seconds that a row may come late.
    public var lateness: Int
    /// Of the cells; 0: all of a network.
    public var level: Int
    /// From how many devices on an alarm is how severe.
    public var steps: [Step]
    /// What people read. It decides nothing.
    public var text: String

    public struct Step: Sendable, Equatable {
        public let devices: Int
        public let severity: String

        public init(_ devices: Int, _ severity: String) { (self.devices, self.severity) = (devices, severity) }
    }

    public init(
        kind: Kind, field: String, bad: Bad, window: Int, holdSet: Int, holdClear: Int, set: Int, clear: Int,
        least: Int, lateness: Int, level: Int, steps: [Step], text: String
    ) {
        (self.kind, self.field, self.bad) = (kind, field, bad)
        (self.window, self.holdSet, self.holdClear) = (window, holdSet, holdClear)
        (self.set, self.clear, self.least) = (set, clear, least)
        (self.lateness, self.level, self.steps, self.text) = (lateness, level, steps, text)
    }

    /// Whether it finds the same, whatever it says about it.
    func decides(as other: ReferenceRule) -> Bool {
        var other = other
        other.text = text
        return self == other
    }

    func severity(of devices: Int) -> String { steps.last { $0.devices <= devices }?.severity ?? steps[0].severity }

    // MARK: Rows

    /// Fields that say something of the network of the SIM; the others of the one that served.
    private static let ofSIM: Set = ["event", "rating"]

    /// What a row says: bad or not; nil if nothing.
    func verdict(_ row: ReferenceRow) -> Bool? {
        switch bad {
        case .words(let words):
            if let word = row.record.text(field) { return words.contains(word) }
            // A phone without a network may have had an event that it could not tell.
            return row.record.text("network_type") == "NONE" ? nil : false
        case .above(let limit): return row.record.number(field).map { $0 > Double(limit) }
        case .below(let limit): return row.record.number(field).map { $0 < Double(limit) }
        }
    }

    /// Whose and about what a row is; nil if its place is too unsure.
    func subject(_ row: ReferenceRow) -> ReferenceRuleSubject? {
        let isServed = !Self.ofSIM.contains(field) && row.serving != "-"
        let owner = isServed ? row.serving : row.sim
        guard level > 0 else { return ReferenceRuleSubject(owner: owner, cell: "") }
        guard var cell = ReferenceGeography.cells(of: row.record).first else { return nil }
        // Of what is not shared with operators only a coarse place is known.
        if !row.purposes.contains("operator_sharing") { cell = String(cell.prefix(13)) }
        return cell.count < level ? nil : ReferenceRuleSubject(owner: owner, cell: String(cell.prefix(level)))
    }
}

/// What a rule may find something about: a network in a cell, or anywhere.
public struct ReferenceRuleSubject: Sendable, Hashable, Comparable {
    /// Text of the network, `-` if it is not known.
    public let owner: String
    public let cell: String

    public init(owner: String, cell: String) { (self.owner, self.cell) = (owner, cell) }

    public static func < (left: Self, right: Self) -> Bool { (left.owner, left.cell) < (right.owner, right.cell) }
}
