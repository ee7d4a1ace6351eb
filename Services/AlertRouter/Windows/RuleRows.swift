internal import AlarmRules
internal import Models
internal import Wire

/// The rows of a block as rules see them. Columns are looked up once a block.
struct RuleRows {
    /// The finest cell in which a row counts that is not shared with operators.
    static let unsharedLevel = 13

    private let kind: ProgrammeKind
    private let programme: Programme
    private let rowCount: Int
    private let committedAt: UnixMilliseconds
    private let trust: TrustPolicy
    /// By number.
    private var columns = [Column?](repeating: nil, count: 256)

    /// Nil for a kind that phones do not send.
    init?(_ header: BlockHeader, _ table: Columns, _ programmes: Programmes, _ trust: TrustPolicy) {
        let number = header.kind
        guard let kind = programmes.kind(number), let programme = programmes.programme(of: number) else { return nil }
        self.kind = kind
        self.programme = programme
        self.trust = trust
        rowCount = table.rowCount
        committedAt = header.committedAt
        for id in UInt8.min...UInt8.max { columns[Int(id)] = table[id] }
    }

    /// What the rows of a block came to.
    struct Fed {
        /// What they raise at once.
        var found: [RuleTransition] = []
        /// How many do not count, and why.
        var skipped: [RuleExclusion: Int] = [:]
        /// A device whose number windows have no room for; nil if there is none.
        var unknownDevice: Int64?
    }

    /// Gives the engine the rows that count.
    func feed(_ engine: inout RuleEngine) -> Fed {
        var fed = Fed()
        for row in 0..<rowCount {
            let received = columns[Int(ColumnID.receivedAt)]?.integer(row) ?? committedAt
            let captured = columns[Int(ColumnID.capturedAt)]?.integer(row) ?? received
            let flags = RowFlags(rawValue: columns[Int(ColumnID.flags)]?.integer(row) ?? 0)
            let value = { [columns] (id: UInt8) in columns[Int(id)]?.integer(row) }
            if captured - received > AcceptanceHorizon.ahead {
                fed.skipped[.future, default: 0] += 1
                continue
            }
            guard trust.counts(flags) else {
                fed.skipped[.untrusted, default: 0] += 1
                continue
            }
            let number = columns[Int(ColumnID.device)]?.integer(row) ?? 0
            guard let device = UInt32(exactly: number) else {
                fed.skipped[.device, default: 0] += 1
                fed.unknownDevice = number
                continue
            }
            var read = RuleRow(
                of: kind, in: programme, device: device, eventAt: captured, value)
            if read.isMock { fed.skipped[.mocked, default: 0] += 1 }
            if flags.contains(.notForOperators), let place = read.place {
                read.place = place.parent(at: min(place.level, Self.unsharedLevel))
            }
            fed.found += engine.add(read, value)
        }
        return fed
    }
}

/// Why a row counts in no rule; the value of `reason` of the metric that counts them.
enum RuleExclusion: String, Sendable, CaseIterable {
    case untrusted, future
    case mocked = "mock_location"
    /// Windows know devices by numbers of 32 bits, and its number is greater: the 4 294 967 296th device of a home, or a later one.
    case device
}
