/// Little-endian base-128 numbers: 7 bits a byte, the high bit set on all but the last byte.
public enum Varint {
    /// Most bytes of a 64-bit number.
    public static let maximumLength = 10

    /// Maps small magnitudes to small numbers: 0, −1, 1, −2 … become 0, 1, 2, 3 …
    @inlinable @inline(__always)
    public static func zigzag(_ value: Int64) -> UInt64 {
        UInt64(bitPattern: (value &<< 1) ^ (value &>> 63))
    }

    /// The number that ``zigzag(_:)`` mapped.
    @inlinable @inline(__always)
    public static func unzigzag(_ value: UInt64) -> Int64 {
        Int64(bitPattern: value &>> 1) ^ (0 &- Int64(bitPattern: value & 1))
    }

    /// Bytes that a number takes.
    @inlinable @inline(__always)
    public static func length(_ value: UInt64) -> Int { (70 - (value | 1).leadingZeroBitCount) / 7 }

    /// Writes at `pointer`, which has room for ten bytes, and moves it on.
    @inlinable @inline(__always)
    public static func write(_ value: UInt64, at pointer: inout UnsafeMutablePointer<UInt8>) {
        var rest = value
        while rest >= 0x80 {
            pointer.pointee = UInt8(truncatingIfNeeded: rest) | 0x80
            pointer += 1
            rest &>>= 7
        }
        pointer.pointee = UInt8(truncatingIfNeeded: rest)
        pointer += 1
    }

    /// Adds a number to bytes.
    @inlinable
    public static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest &>>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Reads at `pointer` and moves it on; nil if the number does not end before `end` or has more than 64 bits.
    @inlinable @inline(__always)
    public static func read(at pointer: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> UInt64? {
        guard pointer < end else { return nil }
        let first = pointer.pointee
        pointer += 1
        if first < 0x80 { return UInt64(first) }
        return readRest(UInt64(first & 0x7f), at: &pointer, end: end)
    }

    @inlinable @inline(__always)
    static func readRest(
        _ first: UInt64, at pointer: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
    ) -> UInt64? {
        var value = first
        var shift: UInt64 = 7
        while pointer < end {
            let byte = pointer.pointee
            pointer += 1
            if shift == 63 && byte > 1 { return nil }
            value |= UInt64(byte & 0x7f) &<< shift
            if byte < 0x80 { return value }
            shift &+= 7
        }
        return nil
    }
}
