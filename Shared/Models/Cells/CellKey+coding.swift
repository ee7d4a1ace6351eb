extension CellKey {
    /// Version 2: 22 bytes, big-endian, in the order of `<`, so that a B-tree keeps neighbours together:
    ///
    ///      0  programme 1
    ///      1  bucket 1        0 = 5 minutes, 1 = hour of UTC, 2 = local day, 3 = local month (reserved)
    ///      2  bucket start 8  Unix seconds
    ///     10  level 1         0 = no cell, else 1 … 20
    ///     11  code 5          of the quadkey
    ///     16  scope 4
    ///     20  stratum 1
    ///     21  population 1    0 = unshared, 1 = shared
    public var bytes: [UInt8] { withBytes { Array($0) } }

    /// Bytes of a key.
    public static let length = 22

    /// Lends ``bytes`` without taking memory.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withUnsafeTemporaryAllocation(byteCount: CellKey.length, alignment: 8) { bytes in
            func store<Number: FixedWidthInteger>(_ number: Number, _ offset: Int) {
                bytes.storeBytes(of: number.bigEndian, toByteOffset: offset, as: Number.self)
            }
            let code = quadkey?.code ?? 0
            store(programme, 0)
            store(bucket.rawValue, 1)
            store(bucketStart, 2)
            store(UInt8(truncatingIfNeeded: quadkey?.level ?? 0), 10)
            store(UInt8(truncatingIfNeeded: code >> 32), 11)
            store(UInt32(truncatingIfNeeded: code), 12)
            store(scope, 16)
            store(stratum, 20)
            store(population.rawValue, 21)
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
        guard bytes.count == CellKey.length, bytes[10] <= Quadkey.deepestLevel, let bucket = Bucket(rawValue: bytes[1]),
            let population = Population(rawValue: bytes[21])
        else { return nil }
        let level = Int(bytes[10])
        let code = UInt64(bytes[11]) << 32 | UInt64(load(12, UInt32.self))
        guard code >> UInt64(2 * level) == 0 else { return nil }
        self.init(
            programme: bytes[0], bucket: bucket, bucketStart: load(2, Int64.self),
            quadkey: level == 0 ? nil : Quadkey(level: level, code: code), scope: load(16, UInt32.self),
            stratum: bytes[20], population: population)
    }

    /// Reads the key of a record of kind `cell`, or the source of one; nil if the bytes are none.
    ///
    /// - Parameter version: of the kind. Up to 2, keys named neither programme nor population.
    public init?(_ bytes: UnsafeRawBufferPointer, ofKind version: UInt8) {
        if version > 2 { self.init(bytes) } else { self.init(version1: bytes) }
    }

    /// Keys of version 1 were of mobile networks, with eight technologies.
    public static let lastStratumOfVersion1: UInt8 = 7

    /// Reads a key of version 1, 22 bytes, as that of what is not shared:
    ///
    ///     bucket seconds 4 │ bucket start 8 │ level 1 (0 = no cell) │ code 4 │ plmn 4 │ technology 1
    public init?(version1 bytes: UnsafeRawBufferPointer) {
        func load<Number: FixedWidthInteger>(_ offset: Int, _: Number.Type) -> Number {
            Number(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
        }
        guard bytes.count == 22, bytes[12] <= 16, let bucket = Bucket(seconds: load(0, UInt32.self)),
            bytes[21] <= CellKey.lastStratumOfVersion1
        else { return nil }
        let level = Int(bytes[12])
        self.init(
            programme: Programme.qoeNumber, bucket: bucket, bucketStart: load(4, Int64.self),
            quadkey: level == 0 ? nil : Quadkey(level: level, code: UInt64(load(13, UInt32.self))),
            scope: load(17, UInt32.self), stratum: bytes[21], population: .unshared)
    }
}
