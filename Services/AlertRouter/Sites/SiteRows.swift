internal import Alarms
internal import Models
internal import Wire

/// The rows of a block of kind `sensor_event` or `command_result`. Columns are looked up once a block.
struct SiteRows {
    struct Event {
        let site: Int64
        let sensor: Int64
        let device: Int64
        let reading: SensorReading
    }

    struct Result {
        let task: String
        let device: Int64
        let outcome: CommandResult.Outcome
        let detail: String?
        let receivedAt: UnixMilliseconds
    }

    private let columns: Columns
    private let committedAt: UnixMilliseconds

    init(_ columns: Columns, committedAt: UnixMilliseconds) {
        self.columns = columns
        self.committedAt = committedAt
    }

    var events: [Event] {
        (0..<columns.rowCount).compactMap { row in
            guard let site = integer(SensorEvent.site, row), let sensor = integer(SensorEvent.sensor, row),
                let state = integer(SensorEvent.state, row), let device = integer(ColumnID.device, row)
            else { return nil }
            let received = integer(ColumnID.receivedAt, row) ?? committedAt
            return Event(
                site: site, sensor: sensor, device: device,
                reading: SensorReading(
                    isHigh: state == SensorEvent.high, value: integer(SensorEvent.value, row),
                    battery: integer(SensorEvent.battery, row), isTampered: integer(SensorEvent.tamper, row) == 1,
                    eventAt: min(integer(ColumnID.capturedAt, row) ?? received, received), receivedAt: received))
        }
    }

    var results: [Result] {
        (0..<columns.rowCount).compactMap { row in
            guard let task = text(CommandResult.command, row), let device = integer(ColumnID.device, row),
                let outcome = integer(CommandResult.result, row).flatMap(CommandResult.Outcome.init)
            else { return nil }
            return Result(
                task: task, device: device, outcome: outcome, detail: text(CommandResult.detail, row),
                receivedAt: integer(ColumnID.receivedAt, row) ?? committedAt)
        }
    }

    private func integer(_ column: UInt8, _ row: Int) -> Int64? { columns[column]?.integer(row) }

    private func text(_ column: UInt8, _ row: Int) -> String? {
        columns[column]?.value(row).map { String(decoding: $0, as: UTF8.self) }
    }
}
