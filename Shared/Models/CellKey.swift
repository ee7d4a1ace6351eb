/// Which statistics cell: when, where, whose network, which technology.
public struct CellKey: Sendable, Hashable, Comparable {
    /// Length of a bucket in seconds: 300, 3 600 or 86 400 (a local day, whatever its length).
    public let bucketSeconds: UInt32
    /// Begin of the bucket in Unix seconds.
    public let bucketStart: Int64
    /// nil: rows that count without a cell.
    public let quadkey: Quadkey?
    public let plmn: PLMN
    public let technology: Technology

    public init(bucketSeconds: UInt32, bucketStart: Int64, quadkey: Quadkey?, plmn: PLMN, technology: Technology) {
        self.bucketSeconds = bucketSeconds
        self.bucketStart = bucketStart
        self.quadkey = quadkey
        self.plmn = plmn
        self.technology = technology
    }

    /// 22 bytes, big-endian, in the order of `<`, so that a B-tree keeps neighbours together:
    ///
    ///     bucket seconds 4 │ bucket start 8 │ level 1 (0 = no cell) │ code 4 │ plmn 4 │ technology 1
    public var bytes: [UInt8] { withBytes { Array($0) } }

    /// Bytes of a key.
    public static let length = 22

    /// Lends ``bytes`` without taking memory.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withUnsafeTemporaryAllocation(byteCount: CellKey.length, alignment: 8) { bytes in
            func store<Number: FixedWidthInteger>(_ number: Number, _ offset: Int) {
                bytes.storeBytes(of: number.bigEndian, toByteOffset: offset, as: Number.self)
            }
            store(bucketSeconds, 0)
            store(bucketStart, 4)
            store(UInt8(truncatingIfNeeded: quadkey?.level ?? 0), 12)
            store(UInt32(truncatingIfNeeded: quadkey?.code ?? 0), 13)
            store(UInt32(truncatingIfNeeded: plmn.rawValue), 17)
            store(UInt8(truncatingIfNeeded: technology.rawValue), 21)
            return try body(UnsafeRawBufferPointer(bytes))
        }
    }

    /// Reads ``bytes``; nil if they are not a key.
    public init?(bytes: some Sequence<UInt8>) {
        let array = Array(bytes)
        guard let key = array.withUnsafeBytes({ CellKey($0) }) else { return nil }
        self = key
    }

    /// Reads ``bytes``; nil if they are not a key.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        func load<Number: FixedWidthInteger>(_ offset: Int, _: Number.Type) -> Number {
            Number(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
        }
        guard bytes.count == CellKey.length, bytes[12] <= Quadkey.finestLevel,
            let technology = Technology(rawValue: Int64(bytes[21]))
        else { return nil }
        let level = Int(bytes[12])
        self.init(
            bucketSeconds: load(0, UInt32.self), bucketStart: load(4, Int64.self),
            quadkey: level == 0 ? nil : Quadkey(level: level, code: UInt64(load(13, UInt32.self))),
            plmn: PLMN(rawValue: Int64(load(17, UInt32.self))), technology: technology)
    }

    public static func < (left: Self, right: Self) -> Bool {
        (
            left.bucketSeconds, left.bucketStart, left.quadkey?.level ?? 0, left.quadkey?.code ?? 0, left.plmn.rawValue,
            left.technology.rawValue
        )
            < (
                right.bucketSeconds, right.bucketStart, right.quadkey?.level ?? 0, right.quadkey?.code ?? 0,
                right.plmn.rawValue, right.technology.rawValue
            )
    }
}
