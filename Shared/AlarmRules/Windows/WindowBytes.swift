internal import Models

/// Writes numbers for a database, little ones short.
struct WindowWriter {
    var bytes: [UInt8] = []

    mutating func put(_ number: some FixedWidthInteger & UnsignedInteger) { Varint.append(UInt64(number), to: &bytes) }

    mutating func put(signed number: Int64) { Varint.append(Varint.zigzag(number), to: &bytes) }

    mutating func put(_ number: Int) { put(signed: Int64(number)) }

    mutating func put(_ minute: Int32?) { put(signed: minute.map { Int64($0) + 1 << 32 } ?? 0) }

    mutating func put(_ text: String) {
        put(text.utf8.count)
        bytes += Array(text.utf8)
    }

    mutating func put(fixed number: UInt64) { withUnsafeBytes(of: number.littleEndian) { bytes += Array($0) } }
}

/// Reads what ``WindowWriter`` wrote.
struct WindowReader {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func number() throws(StateError) -> UInt64 {
        var value: UInt64 = 0, shift: UInt64 = 0
        while let byte = bytes.popFirst() {
            guard shift < 63 || shift == 63 && byte <= 1 else { throw StateError.damaged }
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw StateError.damaged
    }

    mutating func narrow<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(StateError) -> Number {
        guard let narrow = Number(exactly: try number()) else { throw StateError.damaged }
        return narrow
    }

    mutating func signed() throws(StateError) -> Int64 { Varint.unzigzag(try number()) }

    mutating func whole() throws(StateError) -> Int { Int(try signed()) }

    mutating func minute() throws(StateError) -> Int32? {
        let value = try signed()
        if value == 0 { return nil }
        guard let minute = Int32(exactly: value - 1 << 32) else { throw StateError.damaged }
        return minute
    }

    /// A number of elements that follow, each of at least one byte.
    mutating func count() throws(StateError) -> Int {
        let count = try whole()
        guard (0...bytes.count).contains(count) else { throw StateError.damaged }
        return count
    }

    mutating func text() throws(StateError) -> String {
        let count = try count()
        defer { bytes = bytes.dropFirst(count) }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    mutating func fixed() throws(StateError) -> UInt64 {
        guard bytes.count >= 8 else { throw StateError.damaged }
        var value: UInt64 = 0
        for place in 0..<8 { value |= UInt64(bytes.removeFirst()) << UInt64(8 * place) }
        return value
    }
}

/// Why the state of an engine cannot be read.
package enum StateError: Error, Sendable, Equatable {
    /// Written by another version.
    case version(UInt64)
    /// Written with another rule of that name: read it with the rules of then, and load those of now.
    case rule(String)
    case damaged
}

extension DeviceWindow {
    /// Minute of the last device left out, number of devices, then 8 bytes each.
    func write(_ writer: inout WindowWriter) {
        writer.put(leftOutAt)
        writer.put(entries.count)
        for entry in entries {
            writer.put(fixed: UInt64(entry.ordinal) | UInt64(entry.bad) << 32 | UInt64(entry.good) << 48)
        }
    }

    init(_ reader: inout WindowReader) throws(StateError) {
        let leftOutAt = try reader.minute()
        var entries: [Entry] = []
        for _ in 0..<(try reader.count()) {
            let word = try reader.fixed()
            let entry = Entry(
                ordinal: UInt32(truncatingIfNeeded: word), bad: UInt16(truncatingIfNeeded: word >> 32),
                good: UInt16(truncatingIfNeeded: word >> 48))
            guard entries.last.map({ $0.hash < entry.hash }) ?? true else { throw StateError.damaged }
            entries.append(entry)
        }
        self.init(entries: entries, leftOutAt: leftOutAt)
    }
}
