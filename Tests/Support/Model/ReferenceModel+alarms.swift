/// The alarms that accepted rows raise.
extension ReferenceModel {
    /// All that were ever raised by rows that are there, with what counts in each.
    public var allAlarms: [ReferenceAlarm: ReferenceAlarmState] {
        var alarms: [ReferenceAlarm: ReferenceAlarmState] = [:]
        var last: [ReferenceAlarm: ReferenceAlarm] = [:]
        for row in rows where isAlarming(row) {
            let place = Self.place(row)
            if let known = last[place], alarms[known]!.take(row) { continue }
            let new = ReferenceAlarm(plmn: place.plmn, cell: place.cell, raisedAt: row.receivedAt)
            last[place] = new
            alarms[new] = ReferenceAlarmState(rows: [row], lastNews: row.receivedAt)
        }
        return alarms
    }

    /// Those that are still there: nothing has happened to the others for long.
    public var keptAlarms: [ReferenceAlarm: ReferenceAlarmState] {
        retention?.ranAt == nil ? allAlarms : allAlarms.filter { keeps("alarms", of: $0.value.lastRow) }
    }

    /// Of those that a tenant is told: those of its SIMs, and those with a record of a foreign SIM that it served.
    public func keptAlarms(for tenant: ReferenceTenant) -> [ReferenceAlarm: ReferenceAlarmState] {
        keptAlarms.filter { $0.value.rows.contains(where: tenant.isConcerned) }
    }

    /// Operators and cells of alarms that are still there.
    public var alarms: Set<ReferenceAlarm> { Set(keptAlarms.keys.map(\.place)) }

    /// The same of those that a tenant is told.
    public func alarms(for tenant: ReferenceTenant) -> Set<ReferenceAlarm> {
        Set(keptAlarms(for: tenant).keys.map(\.place))
    }

    /// Operators and cells of whose alarms nobody can say which there are: some of their rows were erased, before they were read or
    /// after.
    public var doubtfulAlarms: Set<ReferenceAlarm> { Set(erasedRows.filter(isAlarming).map(Self.place)) }

    static func place(_ row: ReferenceRow) -> ReferenceAlarm {
        let cell = ReferenceGeography.cells(of: row.record).first { $0.count == 16 }
        return ReferenceAlarm(plmn: row.sim == "-" ? "unknown" : row.sim, cell: cell ?? "")
    }
}

extension ReferenceAlarmState {
    /// Counts a row, unless it raises another alarm: it came after the end, and is not of before that.
    fileprivate mutating func take(_ row: ReferenceRow) -> Bool {
        if row.receivedAt < endsAt {
            lastNews = row.receivedAt
        } else if row.capturedAt >= endsAt {
            return false
        }
        rows.append(row)
        return true
    }
}
