internal import AlarmRules
internal import Models
internal import Wire

/// The rows of a block as rules see them: the columns that they look at, side by side in memory.
struct RuleRows {
    private static let absent = Int64.min
    private static let ownColumns = [ColumnID.receivedAt, ColumnID.capturedAt, ColumnID.flags, ColumnID.device]

    private let reader: RuleRowReader
    private let rowCount: Int
    private let committedAt: UnixMilliseconds
    private let trust: TrustPolicy
    /// Of each column its place within a row, or ``unread``.
    private var places = [UInt8](repeating: unread, count: 256)
    private static let unread = UInt8.max
    /// Values of columns of a row.
    private var width = 0
    /// Row after row; ``absent`` where there is no value.
    private var values: [Int64] = []

    /// Nil for a kind that phones do not send.
    ///
    /// - Parameter columns: those that rules look at.
    init?(
        _ header: BlockHeader, _ table: Columns, _ programmes: Programmes, _ trust: TrustPolicy, columns: [UInt8]
    ) {
        let number = header.kind
        guard let kind = programmes.kind(number), let programme = programmes.programme(of: number) else { return nil }
        reader = RuleRowReader(kind, of: programme)
        self.trust = trust
        rowCount = table.rowCount
        committedAt = header.committedAt
        let read = Set(Self.ownColumns + reader.columns + columns)
            .compactMap { table[$0] }.filter { $0.integers.count == table.rowCount }
        width = read.count
        values = [Int64](repeating: Self.absent, count: rowCount * width)
        for (place, column) in read.enumerated() {
            places[Int(column.id)] = UInt8(place)
            values.withUnsafeMutableBufferPointer { values in
                var target = place
                for row in 0..<rowCount {
                    if column.presence[row] { values[target] = column.integers[row] }
                    target += width
                }
            }
        }
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
        values.withUnsafeBufferPointer { values in
            places.withUnsafeBufferPointer { places in
                for row in 0..<rowCount {
                    let first = row * width
                    feed(&engine, &fed) { column in
                        let place = places[Int(column)]
                        guard place != Self.unread else { return nil }
                        let value = values[first + Int(place)]
                        return value == Self.absent ? nil : value
                    }
                }
            }
        }
        return fed
    }

    private func feed(_ engine: inout RuleEngine, _ fed: inout Fed, _ value: (_ column: UInt8) -> Int64?) {
        let received = value(ColumnID.receivedAt) ?? committedAt
        let captured = value(ColumnID.capturedAt) ?? received
        let flags = RowFlags(rawValue: value(ColumnID.flags) ?? 0)
        if captured - received > AcceptanceHorizon.ahead {
            fed.skipped[.future, default: 0] += 1
            return
        }
        guard trust.counts(flags) else {
            fed.skipped[.untrusted, default: 0] += 1
            return
        }
        let number = value(ColumnID.device) ?? 0
        guard let device = UInt32(exactly: number) else {
            fed.skipped[.device, default: 0] += 1
            fed.unknownDevice = number
            return
        }
        var row = reader.row(device: device, eventAt: captured, value)
        if row.isMock { fed.skipped[.mocked, default: 0] += 1 }
        if flags.contains(.notForOperators) { row.unshare() }
        engine.add(row, value, into: &fed.found)
    }
}

/// Why a row counts in no rule; the value of `reason` of the metric that counts them.
enum RuleExclusion: String, Sendable, CaseIterable {
    case untrusted, future
    case mocked = "mock_location"
    /// Windows know devices by numbers of 32 bits, and its number is greater: the 4 294 967 296th device of a home, or a later one.
    case device
}
