internal import Models
internal import Wire

/// The rows of a block that raise alarms alone, read column by column, by what their kind declares.
struct UrgentRows {
    private let rowCount: Int
    private let problems: [RowProblem]
    private let owner: RowOwner
    private let subject: RowSubject
    private let device, receivedAt, capturedAt, mocked, flags: Column?

    init(_ columns: Columns, of kind: ProgrammeKind) {
        rowCount = columns.rowCount
        problems = RowProblem.all(kind.kind, columns)
        owner = RowOwner(kind.scope, columns)
        subject = RowSubject(kind.subject, columns)
        device = columns[ColumnID.device]
        receivedAt = columns[ColumnID.receivedAt]
        capturedAt = columns[ColumnID.capturedAt]
        mocked = columns[ColumnID.mockLocation]
        flags = columns[ColumnID.flags]
    }

    /// Records that raise alarms, in the order of their rows.
    ///
    /// - Parameter committedAt: when the block was committed, for rows without a time of their own.
    func records(committedAt: UnixMilliseconds, in block: Position? = nil) -> [UrgentRecord] {
        (0..<rowCount).compactMap { record($0, committedAt, block) }
    }

    private func record(_ row: Int, _ committedAt: UnixMilliseconds, _ block: Position?) -> UrgentRecord? {
        let received = receivedAt?.integer(row) ?? committedAt, captured = capturedAt?.integer(row) ?? received
        guard let problem = problem(row, age: received - captured) else { return nil }
        let owner = owner.owner(row)
        return UrgentRecord(
            key: AlarmKey(owner: owner, subject: subject.subject(row)), problem: problem,
            device: device?.integer(row) ?? 0, receivedAt: received, capturedAt: captured,
            isMocked: mocked?.integer(row) == 1,
            serving: self.owner.serving(row, besides: owner), flags: RowFlags(rawValue: flags?.integer(row) ?? 0),
            place: block.map { RowPlace(position: $0, row: row) })
    }

    /// The worst that the row reports in time; if it is too late for all, the worst.
    private func problem(_ row: Int, age: UnixMilliseconds) -> AlarmProblem? {
        var late: AlarmProblem?
        for candidate in problems where candidate.isReported(row) {
            if age <= candidate.problem.lateness { return candidate.problem }
            if late == nil { late = candidate.problem }
        }
        return late
    }
}

/// A problem that rows of a block can report, with the columns that say so. Columns are looked up once a block.
struct RowProblem {
    let problem: AlarmProblem
    private let conditions: [(column: Column, values: ClosedRange<Int64>)]

    /// Those of a kind of which one record raises an alarm and for which the block has columns, worst first.
    static func all(_ kind: RecordKind, _ columns: Columns) -> [RowProblem] {
        kind.problems.filter(\.raisesAlone).compactMap { problem in
            let conditions = problem.conditions.compactMap { condition in
                columns[condition.column].map { (column: $0, values: condition.values) }
            }
            return conditions.isEmpty ? nil : RowProblem(problem: problem, conditions: conditions)
        }
    }

    func isReported(_ row: Int) -> Bool {
        for condition in conditions {
            if let value = condition.column.integer(row), condition.values.contains(value) { return true }
        }
        return false
    }
}

/// What alarms of the rows of a block are about, as their kind declares it. Columns are looked up once a block.
enum RowSubject {
    case cell(latitude: Column?, longitude: Column?, accuracy: Column?, speed: Column?)
    case number(scheme: String, Column?)

    init(_ subject: AlarmSubject, _ columns: Columns) {
        switch subject {
        case .cell:
            self = .cell(
                latitude: columns[ColumnID.latitude], longitude: columns[ColumnID.longitude],
                accuracy: columns[ColumnID.accuracy], speed: columns[ColumnID.speed])
        case .number(let scheme, let column): self = .number(scheme: scheme, columns[column])
        }
    }

    /// Only a cell of the finest level places an alarm; coarser positions raise the owner's alarm without a cell.
    func subject(_ row: Int) -> AlarmedSubject {
        switch self {
        case .cell(let latitude, let longitude, let accuracy, let speed):
            let (latitude, longitude) = (latitude?.integer(row), longitude?.integer(row))
            // Where a phone is that does not know where it is; older rows have it.
            if latitude == 0, longitude == 0 { return .cell(nil) }
            let cell = Quadkey.entry(
                latitude: latitude, longitude: longitude, accuracy: accuracy?.integer(row), speed: speed?.integer(row))
            return .cell(cell?.level == Quadkey.finestLevel ? cell : nil)
        case .number(let scheme, let column): return .number(scheme: scheme, column?.integer(row))
        }
    }
}

/// Whose the rows of a block are, by the scope that their kind declares. Columns are looked up once a block.
enum RowOwner {
    case networks(mcc: Column?, mnc: Column?, servingMCC: Column?, servingMNC: Column?)
    case number(scheme: String, Column?)

    init(_ scope: RowScope, _ columns: Columns) {
        switch scope {
        case .networks:
            self = .networks(
                mcc: columns[ColumnID.mcc], mnc: columns[ColumnID.mnc], servingMCC: columns[ColumnID.servingMCC],
                servingMNC: columns[ColumnID.servingMNC])
        case .number(let scheme, let column): self = .number(scheme: scheme, columns[column])
        }
    }

    /// The network of the SIM, or what the number names; a number outside the range of scopes is an unknown owner.
    func owner(_ row: Int) -> Scope {
        switch self {
        case .networks(let mcc, let mnc, _, _):
            return Scope(PLMN(mcc: mcc?.integer(row), mnc: mnc?.integer(row)))
        case .number(let scheme, let column):
            let number = column?.integer(row) ?? 0
            return Scope(scheme: scheme, number: Scope.numbers.contains(number) ? number : 0)
        }
    }

    /// The network that served the phone where that is known and another one than the SIM's.
    func serving(_ row: Int, besides owner: Scope) -> PLMN? {
        guard case .networks(_, _, let mcc, let mnc) = self else { return nil }
        let serving = PLMN(mcc: mcc?.integer(row), mnc: mnc?.integer(row))
        return serving == .unknown || serving.rawValue == owner.number ? nil : serving
    }
}

/// Urgent records by the alarm they count in, alarms in the order of their first record.
struct UrgentGroups {
    private(set) var groups: [(key: AlarmKey, records: [UrgentRecord])] = []
    private var places: [AlarmKey: Int] = [:]

    mutating func append(_ record: UrgentRecord) {
        if let place = places[record.key] {
            groups[place].records.append(record)
        } else {
            places[record.key] = groups.count
            groups.append((record.key, [record]))
        }
    }
}
