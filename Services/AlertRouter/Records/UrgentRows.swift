internal import Models
internal import Wire

/// The urgent rows of a block, read column by column, by what their kind declares.
struct UrgentRows {
    private let rowCount: Int
    private let problems: [RowProblem]
    private let owner: RowOwner
    private let subject: RowSubject
    private let device, receivedAt, flags: Column?

    init(_ columns: Columns, of kind: ProgrammeKind) {
        rowCount = columns.rowCount
        problems = RowProblem.all(kind.kind, columns)
        owner = RowOwner(kind.scope, columns)
        subject = RowSubject(kind.subject, columns)
        device = columns[ColumnID.device]
        receivedAt = columns[ColumnID.receivedAt]
        flags = columns[ColumnID.flags]
    }

    /// Urgent records in the order of their rows.
    ///
    /// - Parameter committedAt: when the block was committed, for rows without a time of their own.
    func records(committedAt: UnixMilliseconds, in block: Position? = nil) -> [UrgentRecord] {
        (0..<rowCount).compactMap { record($0, committedAt, block) }
    }

    private func record(_ row: Int, _ committedAt: UnixMilliseconds, _ block: Position?) -> UrgentRecord? {
        guard let problem = problem(row) else { return nil }
        let owner = owner.owner(row)
        return UrgentRecord(
            key: AlarmKey(owner: owner, subject: subject.subject(row)), problem: problem,
            device: device?.integer(row) ?? 0, receivedAt: receivedAt?.integer(row) ?? committedAt,
            serving: self.owner.serving(row, besides: owner), flags: RowFlags(rawValue: flags?.integer(row) ?? 0),
            place: block.map { RowPlace(position: $0, row: row) })
    }

    private func problem(_ row: Int) -> AlarmProblem? {
        for candidate in problems where candidate.isReported(row) { return candidate.problem }
        return nil
    }
}
