/// A layer of squares as a Mapbox vector tile, version 2.1 (mapbox/vector-tile-spec), which is a Protocol Buffer.
///
/// The same squares give the same bytes.
public struct VectorTile {
    /// What a square says of itself.
    public enum Value: Hashable, Sendable {
        case integer(Int64)
        case double(Double)
        case text(String)
    }

    /// Units of a tile's side.
    public static let extent = 4_096

    private let name: String
    private var keys: (numbers: [String: Int], names: [String]) = ([:], [])
    private var values: (numbers: [Value: Int], all: [Value]) = ([:], [])
    private var features: [UInt8] = []

    /// - Parameter name: of the layer.
    public init(layer name: String) { self.name = name }

    /// Adds a square.
    ///
    /// - Parameters:
    ///   - column: of its left edge from that of the tile, in units of ``extent``.
    ///   - row: of its upper edge likewise, downwards.
    ///   - side: its side.
    ///   - properties: each once, in the order in which readers see them.
    public mutating func append(column: Int, row: Int, side: Int, _ properties: [(key: String, value: Value)]) {
        var feature = ProtobufWriter()
        feature.packed(2, properties.flatMap { [UInt64(number(of: $0.key)), UInt64(number(of: $0.value))] })
        feature.integer(3, 3)
        feature.packed(4, Self.square(column, row, side))
        var layer = ProtobufWriter()
        layer.bytes(2, feature.bytes)
        features += layer.bytes
    }

    /// The tile; empty without squares.
    public var bytes: [UInt8] {
        if features.isEmpty { return [] }
        var layer = ProtobufWriter()
        layer.bytes(1, Array(name.utf8))
        layer.append(features)
        for key in keys.names { layer.bytes(3, Array(key.utf8)) }
        for value in values.all {
            var text = ProtobufWriter()
            switch value {
            case .text(let string): text.bytes(1, Array(string.utf8))
            case .double(let number): text.double(3, number)
            case .integer(let number): text.integer(6, UInt64(bitPattern: number << 1 ^ number >> 63))
            }
            layer.bytes(4, text.bytes)
        }
        layer.integer(5, UInt64(Self.extent))
        layer.integer(15, 2)
        var tile = ProtobufWriter()
        tile.bytes(3, layer.bytes)
        return tile.bytes
    }

    private mutating func number(of key: String) -> Int {
        if let number = keys.numbers[key] { return number }
        keys.numbers[key] = keys.names.count
        keys.names.append(key)
        return keys.names.count - 1
    }

    private mutating func number(of value: Value) -> Int {
        if let number = values.numbers[value] { return number }
        values.numbers[value] = values.all.count
        values.all.append(value)
        return values.all.count - 1
    }

    /// Clockwise, as an outer ring is: MoveTo, three LineTo, ClosePath (section 4.3).
    private static func square(_ column: Int, _ row: Int, _ side: Int) -> [UInt64] {
        func zigzag(_ value: Int) -> UInt64 { UInt64(bitPattern: Int64(value << 1 ^ value >> 63)) }
        return [
            1 << 3 | 1, zigzag(column), zigzag(row), 3 << 3 | 2, zigzag(side), 0, 0, zigzag(side), zigzag(-side), 0,
            1 << 3 | 7,
        ]
    }
}

/// Writes the wire format of Protocol Buffers, as far as tiles need it.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    mutating func integer(_ field: UInt64, _ value: UInt64) {
        LEB128.append(field << 3, to: &bytes)
        LEB128.append(value, to: &bytes)
    }

    mutating func double(_ field: UInt64, _ value: Double) {
        LEB128.append(field << 3 | 1, to: &bytes)
        withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func bytes(_ field: UInt64, _ value: [UInt8]) {
        LEB128.append(field << 3 | 2, to: &bytes)
        LEB128.append(UInt64(value.count), to: &bytes)
        bytes += value
    }

    mutating func packed(_ field: UInt64, _ values: [UInt64]) {
        var all: [UInt8] = []
        for value in values { LEB128.append(value, to: &all) }
        bytes(field, all)
    }

    /// Appends fields that are written already.
    mutating func append(_ fields: [UInt8]) { bytes += fields }
}
