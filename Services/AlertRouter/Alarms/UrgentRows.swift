internal import Models
internal import Wire

/// The urgent rows of a block, read column by column.
struct UrgentRows {
    private let columns: Columns
    private let event, rating, trigger, mcc, mnc, servingMCC, servingMNC, latitude, longitude, accuracy, speed, device,
        receivedAt, flags: Column?

    init(_ columns: Columns) {
        self.columns = columns
        event = columns[ColumnID.event]
        rating = columns[ColumnID.rating]
        trigger = columns[ColumnID.trigger]
        mcc = columns[ColumnID.mcc]
        mnc = columns[ColumnID.mnc]
        servingMCC = columns[ColumnID.servingMCC]
        servingMNC = columns[ColumnID.servingMNC]
        latitude = columns[ColumnID.latitude]
        longitude = columns[ColumnID.longitude]
        accuracy = columns[ColumnID.accuracy]
        speed = columns[ColumnID.speed]
        device = columns[ColumnID.device]
        receivedAt = columns[ColumnID.receivedAt]
        flags = columns[ColumnID.flags]
    }

    /// Urgent records in the order of their rows.
    ///
    /// - Parameter committedAt: when the block was committed, for rows without a time of their own.
    func records(committedAt: UnixMilliseconds, in block: Position? = nil) -> [UrgentRecord] {
        (0..<columns.rowCount).compactMap { record($0, committedAt, block) }
    }

    private func record(_ row: Int, _ committedAt: UnixMilliseconds, _ block: Position?) -> UrgentRecord? {
        let problem = AlarmProblem(
            event: event?.integer(row), rating: rating?.integer(row), trigger: trigger?.integer(row))
        guard let problem else { return nil }
        let ofSIM = PLMN(mcc: mcc?.integer(row), mnc: mnc?.integer(row))
        let serving = PLMN(mcc: servingMCC?.integer(row), mnc: servingMNC?.integer(row))
        return UrgentRecord(
            key: AlarmKey(plmn: ofSIM, cell: cell(row)), problem: problem, device: device?.integer(row) ?? 0,
            receivedAt: receivedAt?.integer(row) ?? committedAt,
            serving: serving == .unknown || serving == ofSIM ? nil : serving,
            flags: RowFlags(rawValue: flags?.integer(row) ?? 0),
            place: block.map { RowPlace(position: $0, row: row) })
    }

    /// Only a cell of the finest level places an alarm; coarser positions raise the operator's alarm without a cell.
    private func cell(_ row: Int) -> Quadkey? {
        let cell = Quadkey.entry(
            latitude: latitude?.integer(row), longitude: longitude?.integer(row), accuracy: accuracy?.integer(row),
            speed: speed?.integer(row))
        return cell?.level == Quadkey.finestLevel ? cell : nil
    }
}
