internal import GRDB
internal import Models
internal import Storage
internal import SubjectRights

/// Forgets that devices counted in alarms, a few rows at a time: between two slices an alarm may be waiting.
///
/// What is left of them in an alarm is its counts. A contribution that was not told yet goes with its row, and is not told.
struct ContributionErasure {
    /// Devices are looked for by it alone: rows stay as long as alarms do, and those of a device are few among them.
    static let migration = Migration(
        "contributions by device", sql: "CREATE INDEX contributions_of_device ON alarm_devices (device)")

    /// Rows looked at in a slice; a millisecond or two.
    static let rowsAtOnce = 100

    private var subjects: [ErasureSubject] = []
    private var devices: [UInt64] = []
    private var filter = ErasureFilter([])
    /// The last alarm that was looked at for the first of the devices.
    private var alarm = Int64.min

    /// One slice. Where the slices before came to is in memory only: another pass begins at the beginning.
    mutating func next(_ subjects: [ErasureSubject], _ db: Database) throws -> ErasureSlice {
        if subjects != self.subjects { begin(subjects) }
        var slice = ErasureSlice(isDone: false), left = Self.rowsAtOnce
        while let device = devices.first {
            let rows = try rows(of: device, limit: left, db)
            for row in rows where takes(row, device) {
                try remove(row, device, db)
                slice.removed[device, default: 0] += 1
            }
            left -= rows.count
            guard left > 0 else {
                alarm = rows.last?.alarm ?? alarm
                return slice
            }
            devices.removeFirst()
            alarm = .min
        }
        self = ContributionErasure()
        slice.isDone = true
        return slice
    }

    private mutating func begin(_ subjects: [ErasureSubject]) {
        self.subjects = subjects
        filter = ErasureFilter(subjects)
        devices = filter.devices.sorted()
        alarm = .min
    }

    private struct Contribution {
        let alarm: Int64
        /// When its first record came; nil of devices beyond those whose contributions are told.
        let firstAt: UnixMilliseconds?
        /// From the alarm's first record to its last.
        let span: ClosedRange<UnixMilliseconds>
        let cell: Quadkey?
    }

    private func rows(of device: UInt64, limit: Int, _ db: Database) throws -> [Contribution] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT alarm, first_at, raised_at, changed_at, scheme, subject FROM alarm_devices JOIN alarms ON number = alarm
                WHERE device = ? AND alarm > ? ORDER BY alarm LIMIT ?
                """)
        return try Row.fetchAll(statement, arguments: [Int64(bitPattern: device), alarm, limit]).map { row in
            let raised: UnixMilliseconds = row[2]
            return Contribution(
                alarm: row[0], firstAt: row[1], span: raised...max(raised, row[3]),
                cell: AlarmedSubject(scheme: row[4], text: row[5])?.cell)
        }
    }

    /// The rule is that of contributions on the lane. A row without a time says that the device was there while the alarm
    /// lasted: it goes if any of that is in the scope.
    private func takes(_ row: Contribution, _ device: UInt64) -> Bool {
        if filter.takesEverything(of: device) { return true }
        if let time = row.firstAt { return filter.takes(device: device, capturedAt: time, cell: row.cell) }
        return subjects.contains { subject in
            guard subject.device == device, row.span.lowerBound < subject.scope.to ?? .max,
                row.span.upperBound >= subject.scope.from ?? .min
            else { return false }
            return ErasureArea(subject.scope).map { area in row.cell.map(area.meets) ?? false } ?? true
        }
    }

    private func remove(_ row: Contribution, _ device: UInt64, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM alarm_devices WHERE alarm = ? AND device = ?")
            .execute(arguments: [row.alarm, Int64(bitPattern: device)])
    }
}
