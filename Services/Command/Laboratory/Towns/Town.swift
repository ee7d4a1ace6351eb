import Models

/// A place that recordings can be moved to.
struct Town: Sendable, Equatable {
    let name: String
    /// 1e-7 degrees.
    let latitude: Int64
    let longitude: Int64
    let population: UInt64

    /// Reads a CSV file with the columns `name`, `latitude`, `longitude` and `population`.
    ///
    /// - Throws: ``RecordingError`` naming file and line for a column or value that is missing.
    static func read(_ path: String) throws -> [Town] {
        var csv = CSVReader(try InputFile(path: path)), row = CSVRow()
        guard try csv.read(&row) else { throw RecordingError(path, "an empty file; expected towns") }
        let header = row.texts
        let needed = ["name", "latitude", "longitude", "population"]
        let places = try needed.map { name in
            guard let place = header.firstIndex(of: name) else {
                throw RecordingError(path, line: row.line, "the header has no column \(name)")
            }
            return place
        }
        var towns: [Town] = []
        while try csv.read(&row) {
            guard row.count == header.count, let latitude = DecimalText.stored(row[places[1]], scale: 10_000_000),
                let longitude = DecimalText.stored(row[places[2]], scale: 10_000_000),
                let population = UInt64(row[places[3]])
            else { throw RecordingError(path, line: row.line, "not a town with latitude, longitude and population") }
            towns.append(Town(name: row[places[0]], latitude: latitude, longitude: longitude, population: population))
        }
        guard towns.contains(where: { $0.population > 0 }) else { throw RecordingError(path, "no town with people") }
        return towns
    }
}
