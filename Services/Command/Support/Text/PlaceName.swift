import Models

/// Where a cell is, in words: by the towns of Cameroon that the page names too, and by coordinates where none is near.
package enum PlaceName {
    private static let towns: [(name: String, latitude: Double, longitude: Double)] = [
        ("Yaoundé", 3.867, 11.517), ("Douala", 4.048, 9.704), ("Garoua", 9.301, 13.393), ("Maroua", 10.591, 14.316),
        ("Bamenda", 5.96, 10.146), ("Bafoussam", 5.478, 10.418), ("Ngaoundéré", 7.328, 13.585),
        ("Bertoua", 4.578, 13.685), ("Ebolowa", 2.9, 11.15), ("Buea", 4.153, 9.242), ("Kribi", 2.938, 9.91),
        ("Limbe", 4.024, 9.215), ("Kumba", 4.636, 9.447), ("Nkongsamba", 4.955, 9.94), ("Edéa", 3.8, 10.133),
        ("Foumban", 5.729, 10.9), ("Kousséri", 12.077, 15.031), ("Mbalmayo", 3.516, 11.501),
        ("Sangmélima", 2.933, 11.983), ("Batouri", 4.433, 14.367), ("Meiganga", 6.517, 14.3),
        ("Tibati", 6.467, 12.633), ("Dschang", 5.443, 10.053), ("Yokadouma", 3.517, 15.05), ("Mamfe", 5.755, 9.312),
    ]
    /// Up to so many kilometres from its centre a place is in a town, and around it; beyond, nobody says in which country.
    private static let inTown = 8.0, around = 150.0
    /// Coarser cells are no place.
    private static let coarsestLevel = 9

    /// `Douala`, `34 km NE of Douala`, `48.85° N, 2.35° E`; nil for a text that is no quadkey, and for whole countries.
    package static func text(quadkey: String) -> String? {
        guard let cell = Quadkey(text: quadkey), cell.level >= coarsestLevel else { return nil }
        let bounds = cell.bounds
        let latitude = (bounds.south + bounds.north) / 2, longitude = (bounds.west + bounds.east) / 2
        let distances = towns.map { town in
            (
                town.name, north: (latitude - town.latitude) * 111.2,
                // Towns lie between 2° and 12° north: a degree of longitude is 110 ± 1 km.
                east: (longitude - town.longitude) * 110
            )
        }
        let nearest = distances.min { square($0.north, $0.east) < square($1.north, $1.east) }!
        let kilometres = square(nearest.north, nearest.east).squareRoot()
        guard kilometres <= around else { return coordinates(latitude, longitude) }
        guard kilometres > inTown else { return nearest.0 }
        return "\(Int(kilometres.rounded())) km \(direction(nearest.north, nearest.east)) of \(nearest.0)"
    }

    private static func coordinates(_ latitude: Double, _ longitude: Double) -> String {
        "\(degrees(latitude))° \(latitude < 0 ? "S" : "N"), \(degrees(longitude))° \(longitude < 0 ? "W" : "E")"
    }

    /// Two decimals, without a sign.
    private static func degrees(_ angle: Double) -> String {
        let hundredths = Int((abs(angle) * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }

    private static func square(_ north: Double, _ east: Double) -> Double { north * north + east * east }

    private static func direction(_ north: Double, _ east: Double) -> String {
        let isDiagonal = min(abs(north), abs(east)) > 0.414 * max(abs(north), abs(east))
        let vertical = north > 0 ? "N" : "S", horizontal = east > 0 ? "E" : "W"
        return isDiagonal ? vertical + horizontal : abs(north) > abs(east) ? vertical : horizontal
    }
}
