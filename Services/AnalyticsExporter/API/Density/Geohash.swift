/// A cell of the geohash system: a box of degrees, halved by turns in longitude and latitude, five times a letter.
struct Geohash: Hashable, Sendable {
    /// Letters of a cell; more are none of CAMARA's.
    static let lengths = 1...12
    private static let letters = Array("0123456789bcdefghjkmnpqrstuvwxyz")

    let text: String

    /// Nil for what is none.
    init?(text: String) {
        guard Self.lengths.contains(text.count), text.allSatisfy(Self.letters.contains) else { return nil }
        self.text = text
    }

    /// The cell that holds a place.
    ///
    /// - Parameters:
    ///   - latitude: degrees, −90…90.
    ///   - longitude: degrees, −180…180.
    ///   - length: letters, 1…12.
    init(latitude: Double, longitude: Double, length: Int) {
        var south = -90.0, north = 90.0, west = -180.0, east = 180.0, text = ""
        var isLongitude = true
        for _ in 0..<length {
            var digit = 0
            for _ in 0..<5 {
                digit <<= 1
                if isLongitude {
                    let middle = (west + east) / 2
                    if longitude >= middle { (west, digit) = (middle, digit | 1) } else { east = middle }
                } else {
                    let middle = (south + north) / 2
                    if latitude >= middle { (south, digit) = (middle, digit | 1) } else { north = middle }
                }
                isLongitude.toggle()
            }
            text.append(Self.letters[digit])
        }
        self.text = text
    }

    var length: Int { text.count }

    /// Its edges in degrees.
    var bounds: (south: Double, west: Double, north: Double, east: Double) {
        var south = -90.0, north = 90.0, west = -180.0, east = 180.0, isLongitude = true
        for letter in text {
            let digit = Self.letters.firstIndex(of: letter) ?? 0
            for bit in (0..<5).reversed() {
                let isUpper = digit >> bit & 1 == 1
                if isLongitude {
                    let middle = (west + east) / 2
                    if isUpper { west = middle } else { east = middle }
                } else {
                    let middle = (south + north) / 2
                    if isUpper { south = middle } else { north = middle }
                }
                isLongitude.toggle()
            }
        }
        return (south, west, north, east)
    }

    /// How wide and high a cell of so many letters is, degrees.
    static func size(length: Int) -> (width: Double, height: Double) {
        let bits = 5 * length
        return (360 / Double(1 << ((bits + 1) / 2)), 180 / Double(1 << (bits / 2)))
    }
}
