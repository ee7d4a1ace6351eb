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
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(22)
        func add(_ value: UInt64, _ count: Int) {
            for shift in stride(from: (count - 1) * 8, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
            }
        }
        add(UInt64(bucketSeconds), 4)
        add(UInt64(bitPattern: bucketStart), 8)
        add(UInt64(quadkey?.level ?? 0), 1)
        add(quadkey?.code ?? 0, 4)
        add(UInt64(bitPattern: plmn.rawValue), 4)
        add(UInt64(bitPattern: technology.rawValue), 1)
        return bytes
    }

    /// Reads ``bytes``; nil if they are not a key.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 22 else { return nil }
        var rest = bytes[...]
        func take(_ count: Int) -> UInt64 {
            let value = rest.prefix(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            rest = rest.dropFirst(count)
            return value
        }
        bucketSeconds = UInt32(take(4))
        bucketStart = Int64(bitPattern: take(8))
        let level = Int(take(1)), code = take(4)
        quadkey = level == 0 ? nil : Quadkey(level: level, code: code)
        plmn = PLMN(rawValue: Int64(take(4)))
        guard let technology = Technology(rawValue: Int64(take(1))) else { return nil }
        self.technology = technology
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
