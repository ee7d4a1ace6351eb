import Models
import OpenFormats

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

extension Town {
    /// Towns of Cameroon between which simulated phones move: position, and population rounded (after GeoNames and the
    /// census office; only their order of magnitude matters).
    static let cameroon: [Town] = [
        Town("Douala", 4.0483, 9.7043, 1_340_000), Town("Yaounde", 3.8667, 11.5167, 1_300_000),
        Town("Bamenda", 5.9597, 10.1460, 420_000), Town("Bafoussam", 5.4778, 10.4176, 373_000),
        Town("Garoua", 9.3014, 13.3977, 430_000), Town("Maroua", 10.5910, 14.3159, 314_000),
        Town("Ngaoundere", 7.3277, 13.5847, 238_000), Town("Kumba", 4.6363, 9.4469, 225_000),
        Town("Nkongsamba", 4.9547, 9.9404, 162_000), Town("Buea", 4.1534, 9.2423, 140_000),
        Town("Bertoua", 4.5773, 13.6846, 138_000), Town("Limbe", 4.0236, 9.2061, 131_000),
        Town("Foumban", 5.7266, 10.8987, 130_000), Town("Edea", 3.8000, 10.1333, 104_000),
        Town("Ebolowa", 2.9000, 11.1500, 101_000), Town("Dschang", 5.4440, 10.0533, 100_000),
        Town("Kribi", 2.9373, 9.9077, 93_000),
    ]

    /// Pairs of ``cameroon`` that a national road joins.
    static let roads: [(from: String, to: String)] = [
        ("Douala", "Edea"), ("Edea", "Yaounde"), ("Edea", "Kribi"), ("Kribi", "Ebolowa"), ("Ebolowa", "Yaounde"),
        ("Douala", "Nkongsamba"), ("Nkongsamba", "Bafoussam"), ("Bafoussam", "Yaounde"), ("Bafoussam", "Foumban"),
        ("Bafoussam", "Dschang"), ("Bafoussam", "Bamenda"), ("Douala", "Buea"), ("Buea", "Limbe"), ("Buea", "Kumba"),
        ("Yaounde", "Bertoua"), ("Bertoua", "Ngaoundere"), ("Ngaoundere", "Garoua"), ("Garoua", "Maroua"),
    ]

    private init(_ name: String, _ latitude: Double, _ longitude: Double, _ population: UInt64) {
        self.init(
            name: name, latitude: Int64((latitude * 1e7).rounded()), longitude: Int64((longitude * 1e7).rounded()),
            population: population)
    }
}
