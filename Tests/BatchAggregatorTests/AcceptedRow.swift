import Models
import QoE
import Wire

/// An accepted row in stored units, by column.
struct AcceptedRow {
    var values: [UInt8: Int64]

    subscript(column: UInt8) -> Int64? {
        get { values[column] }
        set { values[column] = newValue }
    }

    /// 24 000 rows of 50 devices on one day, spread over so many cells that the day is folded in parts; always the same.
    static func dayInParts() -> [AcceptedRow] {
        var dice = SplitMix64(seed: 10)
        return (0..<24_000).map { number in
            var row = plain(device: Int64(number % 50))
            row[ColumnID.latitude] = Int64.random(in: 38_000_000...42_000_000, using: &dice)
            row[ColumnID.longitude] = Int64.random(in: 97_000_000...101_000_000, using: &dice)
            return row
        }
    }

    /// A row near Yaoundé at noon, from one device.
    static func plain(device: Int64 = 1, capturedAt: Int64 = 1_785_000_000_000) -> AcceptedRow {
        AcceptedRow(values: [
            ColumnID.device: device, ColumnID.receivedAt: capturedAt + 5_000, ColumnID.capturedAt: capturedAt,
            ColumnID.latitude: 38_667_000, ColumnID.longitude: 115_167_000,
            ColumnID.networkType: NetworkType.lte.rawValue, ColumnID.mcc: 624, ColumnID.mnc: 1,
        ])
    }

    /// A row out of few places, times, networks and devices, so that cells are shared; every field may be absent.
    static func random(_ dice: inout SplitMix64) -> AcceptedRow {
        let day: Int64 = 1_785_000_000_000
        var row = AcceptedRow.plain(
            device: Int64.random(in: 1...12, using: &dice),
            capturedAt: day + dice.pick([0, 250_000, 3_300_000, 86_400_000 * 3])
                + Int64.random(in: 0..<600_000, using: &dice))
        row[ColumnID.latitude] =
            dice.pick([38_667_000, 38_700_000, -900_000_000, 60_000_000])
            + Int64.random(in: 0..<40_000, using: &dice)
        row[ColumnID.longitude] = dice.pick([115_167_000, 97_000_000]) + Int64.random(in: 0..<40_000, using: &dice)
        if dice.chance(percent: 5) { row[ColumnID.latitude] = nil }
        if dice.chance(percent: 60) { row[ColumnID.accuracy] = dice.pick([50, 6_100, 8_000, 10_000, 10_001]) }
        if dice.chance(percent: 30) { row[ColumnID.speed] = dice.pick([0, 5_000, 5_001]) }
        row[ColumnID.networkType] = dice.chance(percent: 10) ? nil : Int64.random(in: 0...13, using: &dice)
        row[ColumnID.mnc] = dice.pick([1, 2, nil])
        if dice.chance(percent: 40) {
            row[ColumnID.servingMCC] = 624
            row[ColumnID.servingMNC] = dice.pick([1, 2, 4, nil])
        }
        if dice.chance(percent: 5) { row[ColumnID.mockLocation] = dice.pick([0, 1]) }
        addFigures(to: &row, &dice)
        if dice.chance(percent: 60) { row[ColumnID.flags] = Int64.random(in: 1..<128, using: &dice) }
        return row
    }

    private static func addFigures(to row: inout AcceptedRow, _ dice: inout SplitMix64) {
        if dice.chance(percent: 50) {
            row[ColumnID.download] = dice.pick([0, 127, 128, 129, 5_000, 5_010, 10_000_000])
        }
        if dice.chance(percent: 50) { row[ColumnID.upload] = Int64.random(in: 0...2_000, using: &dice) }
        if dice.chance(percent: 50) { row[ColumnID.latency] = Int64.random(in: 0...3_000, using: &dice) }
        if dice.chance(percent: 30) { row[ColumnID.jitter] = Int64.random(in: 0...200, using: &dice) }
        if dice.chance(percent: 30) { row[ColumnID.loss] = dice.pick([0, 9, 10, 10_000]) }
        if dice.chance(percent: 70) { row[ColumnID.rsrp] = dice.pick([-843, -840, -849, -850, -1_400]) }
        if dice.chance(percent: 50) { row[ColumnID.rsrq] = dice.pick([-105, -1, 0, 1, 200]) }
        if dice.chance(percent: 50) { row[ColumnID.sinr] = Int64.random(in: -230...400, using: &dice) }
        if dice.chance(percent: 20) { row[ColumnID.rssi] = dice.pick([-511, -1_130]) }
        if dice.chance(percent: 20) { row[ColumnID.event] = Int64.random(in: 0...4, using: &dice) }
        if dice.chance(percent: 20) { row[ColumnID.rating] = Int64.random(in: 1...5, using: &dice) }
    }

    /// The rows as a table, as ingest writes it.
    static func table(_ rows: [AcceptedRow]) -> Columns {
        let ids = Set(rows.flatMap(\.values.keys)).sorted()
        return Columns(rowCount: rows.count, columns: ids.map { id in Column(id: id, values: rows.map { $0[id] }) })
    }
}
