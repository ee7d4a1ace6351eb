internal import Foundation

/// A Web-Mercator cell: level 0 is the world, each level splits a cell in four (XYZ tiles, Bing's quadkeys).
///
/// The cell of level 16 is about 611 m wide at the equator. ``code`` holds the digits as a Morton number, two bits a
/// level, so that a parent is a right shift by two and children of a cell are neighbours in order.
public struct Quadkey: Sendable, Hashable {
    /// The finest level that statistics of mobile networks know.
    public static let finestLevel = 16
    /// The finest level that the key of a statistics cell can hold: 38 m at the equator.
    public static let deepestLevel = 20
    /// The coarsest level that statistics know.
    public static let coarsestLevel = 6
    /// Beyond this latitude (in 1e-7 degrees) Web Mercator has no cell: ±85.05°.
    public static let latitudeLimit: Int64 = 850_500_000

    /// 0…20 in statistics (up to 31 can be held).
    public let level: Int
    /// Interleaved bits of row and column.
    public let code: UInt64

    public init(level: Int, code: UInt64) {
        self.level = level
        self.code = code
    }

    /// The cell of a position in 1e-7 degrees; nil beyond ±85.05°.
    ///
    /// Formula: spherical Web Mercator, x = (λ + 180) / 360, y = ½ − artanh(sin φ) / 2π (EPSG:3857), times 2^level.
    public init?(latitude: Int64, longitude: Int64, level: Int = Quadkey.finestLevel) {
        guard abs(latitude) <= Self.latitudeLimit else { return nil }
        let side = Double(1 << level)
        let x = (Double(longitude) * 1e-7 + 180) / 360
        let last = (1 << level) - 1
        let row = MercatorTable.row(latitude, level: level) ?? Int(Self.northing(latitude) * side)
        let column = min(max(Int(x * side), 0), last)
        self.level = level
        code = Self.spread(UInt32(column)) | Self.spread(UInt32(min(max(row, 0), last))) << 1
    }

    /// How far south a latitude in 1e-7 degrees lies in the world of Web Mercator, 0 to 1: y of ``init(latitude:longitude:level:)``.
    static func northing(_ latitude: Int64) -> Double {
        let sine = sin(Double(latitude) * 1e-7 * .pi / 180)
        return 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)
    }

    /// Reads a quadkey's digits 0…3; nil for anything else or more than 31 digits.
    public init?(text: String) {
        guard text.utf8.count <= 31 else { return nil }
        var code: UInt64 = 0
        for byte in text.utf8 {
            guard (48...51).contains(byte) else { return nil }
            code = code << 2 | UInt64(byte - 48)
        }
        level = text.utf8.count
        self.code = code
    }

    /// The cell of a coarser level that holds this one.
    public func parent(at level: Int) -> Quadkey {
        Quadkey(level: level, code: code >> UInt64(2 * (self.level - level)))
    }

    /// Digits 0…3, one a level; a prefix is a parent.
    public var text: String {
        String(decoding: (0..<level).map { UInt8(48 + (code >> UInt64(2 * (level - 1 - $0))) & 3) }, as: UTF8.self)
    }

    public var column: Int { Int(Self.gather(code)) }
    public var row: Int { Int(Self.gather(code >> 1)) }

    /// Width of a cell in metres, east to west, at a latitude in 1e-7 degrees.
    ///
    /// Formula: 40 075 016.686 m · cos φ / 2^level (circumference of WGS 84 at the equator).
    public static func width(level: Int, latitude: Int64) -> Double {
        40_075_016.686 * cos(Double(latitude) * 1e-7 * .pi / 180) / Double(1 << level)
    }

    /// West, south, east and north edges in degrees.
    public var bounds: (west: Double, south: Double, east: Double, north: Double) {
        let side = Double(1 << level)
        func latitude(_ row: Int) -> Double { atan(sinh(.pi * (1 - 2 * Double(row) / side))) * 180 / .pi }
        return (
            Double(column) / side * 360 - 180, latitude(row + 1), Double(column + 1) / side * 360 - 180, latitude(row)
        )
    }

    private static func spread(_ value: UInt32) -> UInt64 {
        var bits = UInt64(value)
        bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
        bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333
        return (bits | bits << 1) & 0x5555_5555_5555_5555
    }

    private static func gather(_ value: UInt64) -> UInt32 {
        var bits = value & 0x5555_5555_5555_5555
        bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
        bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
        return UInt32(truncatingIfNeeded: bits | bits >> 16)
    }
}
