import Models

/// Finds positions that stood still while the phone moved.
///
/// A run of rows with the same position and speed that lasts 10 s or more is frozen if that speed is 5 km/h or more, or if the
/// position then jumps 50 m or more. Its rows from the 10th second on keep their measurement and say how far off they may be:
/// `accuracy_m` = the larger of the jump and speed × age of the fix, at most 10 000. Their speed is as old and is left out.
enum FrozenPosition {
    static let lifetime: UnixMilliseconds = 10_000
    /// 5 km/h in hundredths of m/s.
    static let walking: Int64 = 139
    static let jump = 50.0

    static func mark(_ rows: inout [ImportedRow], _ ledger: inout ImportLedger) {
        var first = 0
        while first < rows.count {
            var end = first + 1
            while end < rows.count, isSame(rows[first].row, rows[end].row) { end += 1 }
            mark(first..<end, of: &rows, &ledger)
            first = end
        }
    }

    private static func mark(_ run: Range<Int>, of rows: inout [ImportedRow], _ ledger: inout ImportLedger) {
        let fix = rows[run.lowerBound].row
        guard fix.values[ColumnID.latitude] != nil, rows[run.upperBound - 1].row.capturedAt - fix.capturedAt >= lifetime
        else { return }
        let speed = fix.values[ColumnID.speed] ?? 0
        let distance = run.upperBound < rows.count ? metres(fix, rows[run.upperBound].row) : 0
        guard speed >= walking || distance >= jump else { return }
        for index in run where rows[index].row.capturedAt - fix.capturedAt >= lifetime {
            let age = rows[index].row.capturedAt - fix.capturedAt
            let travelled = Double(speed) / 100 * Double(age) / 1_000
            rows[index].row.values[ColumnID.accuracy] = Int64(min(10_000, max(distance, travelled)).rounded(.up)) * 10
            rows[index].row.values[ColumnID.speed] = nil
            ledger.noteLater(.frozenPosition, line: rows[index].line, wasMended: rows[index].isMended)
            rows[index].isMended = true
        }
    }

    private static func isSame(_ left: RecordingRow, _ right: RecordingRow) -> Bool {
        left.values[ColumnID.latitude] == right.values[ColumnID.latitude]
            && left.values[ColumnID.longitude] == right.values[ColumnID.longitude]
            && left.values[ColumnID.speed] == right.values[ColumnID.speed]
    }

    /// Distance in metres; 0 if one has no position. (Equirectangular: error under 0.1 % for the few kilometres of a jump.)
    private static func metres(_ left: RecordingRow, _ right: RecordingRow) -> Double {
        guard let south = left.values[ColumnID.latitude], let west = left.values[ColumnID.longitude],
            let north = right.values[ColumnID.latitude], let east = right.values[ColumnID.longitude]
        else { return 0 }
        let width = Quadkey.width(level: 0, latitude: (south + north) / 2) / 360e7, height = 40_075_016.686 / 360e7
        let x = Double(east - west) * width, y = Double(north - south) * height
        return (x * x + y * y).squareRoot()
    }
}
