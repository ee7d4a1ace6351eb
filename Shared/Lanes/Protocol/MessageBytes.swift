/// Writes numbers and texts of lane messages, little-endian.
struct MessageWriter {
    private(set) var bytes: [UInt8]

    init(type: UInt8) { bytes = [type] }

    /// Goes on with a message.
    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func add(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func add(_ text: String) {
        let utf8 = Array(text.utf8.prefix(Int(UInt16.max)))
        add(UInt16(utf8.count))
        bytes.append(contentsOf: utf8)
    }

    mutating func add(_ list: [UInt8]) {
        add(UInt16(list.count))
        bytes.append(contentsOf: list)
    }
}

/// Reads what ``MessageWriter`` wrote; a length is checked before anything is taken.
struct MessageReader {
    private let bytes: [UInt8]
    private var place = 1

    /// Begins after the type byte.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(LaneError) -> Number {
        let size = MemoryLayout<Number>.size
        guard place + size <= bytes.count else { throw .malformedMessage(what: "too short") }
        defer { place += size }
        return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: Number.self)) }
    }

    mutating func list() throws(LaneError) -> [UInt8] {
        let count = Int(try number(UInt16.self))
        guard place + count <= bytes.count else { throw .malformedMessage(what: "too short") }
        defer { place += count }
        return Array(bytes[place..<place + count])
    }

    mutating func text() throws(LaneError) -> String { String(decoding: try list(), as: UTF8.self) }

    var rest: [UInt8] { Array(bytes[place...]) }
    var isAtEnd: Bool { place == bytes.count }

    func end() throws(LaneError) {
        guard place == bytes.count else { throw .malformedMessage(what: "trailing bytes") }
    }
}
