internal import Logging
internal import Models

/// Which rows of which blocks counted in which alarms, gathered in a transaction and logged after it: the other end of the
/// thread that begins with ingest's `uploads committed`.
///
///     … msg="rows counted in alarms" alarms=<alarm id>:0-2,<alarm id>:3+5 trace=realtime/77/12
struct AlarmTrace {
    static let alarmsOfALine = 64
    private var blocks: [Position: [(alarm: String, rows: [Int])]] = [:]

    /// Notes the records that count in an alarm.
    mutating func note(_ alarm: Alarm, _ records: [UrgentRecord]) {
        let id = alarm.id
        for place in records.compactMap(\.place) {
            if let last = blocks[place.position]?.indices.last, blocks[place.position]![last].alarm == id {
                blocks[place.position]![last].rows.append(place.row)
            } else {
                blocks[place.position, default: []].append((id, [place.row]))
            }
        }
    }

    /// The lines, blocks in their order, and forgets what was noted.
    mutating func takeLines() -> [Logger.Metadata] {
        defer { blocks = [:] }
        return blocks.sorted { $0.key.block < $1.key.block }.flatMap { position, alarms in
            stride(from: 0, to: alarms.count, by: Self.alarmsOfALine).map { first in
                let some = alarms[first..<min(first + Self.alarmsOfALine, alarms.count)]
                return [
                    "trace": "\(position.text)",
                    "alarms": "\(some.map { "\($0.alarm):\(Self.text($0.rows))" }.joined(separator: ","))",
                ]
            }
        }
    }

    /// `0-2+5`: rows 0, 1, 2 and 5.
    static func text(_ rows: [Int]) -> String {
        var parts: [ClosedRange<Int>] = []
        for row in rows {
            if let last = parts.last, last.upperBound + 1 == row {
                parts[parts.count - 1] = last.lowerBound...row
            } else {
                parts.append(row...row)
            }
        }
        return parts.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: "+")
    }
}
