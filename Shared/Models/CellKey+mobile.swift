/// Cells of mobile networks: the scope is a network, the stratum its technology.
extension CellKey {
    /// Number of the programme of mobile quality of experience.
    public static let mobile: UInt8 = 1

    /// Traps unless there is a bucket of so many seconds.
    public init(
        bucketSeconds: UInt32, bucketStart: Int64, quadkey: Quadkey?, plmn: PLMN, technology: Technology,
        population: Population
    ) {
        self.init(
            programme: CellKey.mobile, bucket: Bucket(seconds: bucketSeconds)!, bucketStart: bucketStart,
            quadkey: quadkey, scope: UInt32(truncatingIfNeeded: plmn.rawValue),
            stratum: UInt8(truncatingIfNeeded: technology.rawValue), population: population)
    }

    /// Length of the bucket in seconds: 300, 3 600 or 86 400 (a local day, whatever its length).
    public var bucketSeconds: UInt32 { bucket.seconds }
    public var plmn: PLMN { PLMN(rawValue: Int64(scope)) }
    public var technology: Technology { Technology(rawValue: Int64(stratum)) ?? .unknown }
}
