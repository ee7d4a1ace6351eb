import AggregatorCells
import Models
import Wire

/// The cells by which rows enter statistics. Keeps the last position, because phones send many rows from one place.
struct EntryCells {
    /// The last position and its cell; no latitude is that of the first.
    private var last: (latitude: Int64, longitude: Int64, accuracy: Int64?, cell: Quadkey?) = (.min, 0, nil, nil)
    /// That of the last position.
    private var finestLevel = 0

    /// Columns `level` and `code`, absent for rows that count without a cell.
    ///
    /// - Parameter finestLevel: that of the programme whose rows they are.
    mutating func columns(_ columns: Columns, finestLevel: Int) -> [Column] {
        if finestLevel != self.finestLevel { (last.latitude, self.finestLevel) = (.min, finestLevel) }
        let rowCount = columns.rowCount
        guard let latitude = columns[ColumnID.latitude], let longitude = columns[ColumnID.longitude] else { return [] }
        let accuracy = columns[ColumnID.accuracy], speed = columns[ColumnID.speed]
        var levels = [Int64](repeating: 0, count: rowCount), codes = levels
        var presence = RowSet.empty(rowCount)
        for row in 0..<rowCount where latitude.presence[row] && longitude.presence[row] {
            if let speed, speed.presence[row], speed.integers[row] > Quadkey.speedLimit { continue }
            let cell = cell(latitude.integers[row], longitude.integers[row], accuracy?.integer(row))
            guard let cell else { continue }
            levels[row] = Int64(cell.level)
            codes[row] = Int64(cell.code)
            presence[row] = true
        }
        return [
            Column(id: OpenRowColumn.level, presence: presence, integers: levels),
            Column(id: OpenRowColumn.code, encoding: .delta, presence: presence, integers: codes),
        ]
    }

    private mutating func cell(_ latitude: Int64, _ longitude: Int64, _ accuracy: Int64?) -> Quadkey? {
        if latitude == last.latitude && longitude == last.longitude && accuracy == last.accuracy { return last.cell }
        let cell = Quadkey.entry(
            latitude: latitude, longitude: longitude, accuracy: accuracy, speed: nil, finestLevel: finestLevel)
        last = (latitude, longitude, accuracy, cell)
        return cell
    }
}
