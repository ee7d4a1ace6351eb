internal import Models

/// Reads numbers from bytes that may be garbage; never reads past the end.
struct ByteReader {
    private var pointer: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>
    private let what: String

    /// Reads `bytes`, which must outlive the reader; `what` names them in errors.
    init(_ bytes: UnsafeBufferPointer<UInt8>, what: String) {
        // An empty buffer may have no base; nothing is read through this one because `pointer == end`.
        pointer = bytes.baseAddress ?? UnsafePointer(bitPattern: 16)!
        end = pointer + bytes.count
        self.what = what
    }

    var remaining: Int { end - pointer }

    mutating func byte() throws(WireError) -> UInt8 {
        guard pointer < end else { throw .truncated(what: what) }
        defer { pointer += 1 }
        return pointer.pointee
    }

    mutating func varint() throws(WireError) -> UInt64 {
        guard let value = Varint.read(at: &pointer, end: end) else { throw .truncated(what: what) }
        return value
    }

    /// A varint that must not be over `limit`.
    mutating func length(limit: Int) throws(WireError) -> Int {
        let value = try varint()
        guard value <= UInt64(limit) else { throw .tooLarge(what: what, limit: limit) }
        return Int(value)
    }

    mutating func littleEndian<Number: FixedWidthInteger>(_: Number.Type) throws(WireError) -> Number {
        let width = Number.bitWidth / 8
        guard remaining >= width else { throw .truncated(what: what) }
        defer { pointer += width }
        return Number(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: Number.self))
    }

    mutating func bytes(_ count: Int) throws(WireError) -> UnsafeBufferPointer<UInt8> {
        guard count >= 0, remaining >= count else { throw .truncated(what: what) }
        defer { pointer += count }
        return UnsafeBufferPointer(start: pointer, count: count)
    }
}
