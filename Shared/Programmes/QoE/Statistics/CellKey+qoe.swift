public import Models

/// Cells of mobile networks: the scope is a network, the stratum its technology.
extension CellKey {
    /// Traps unless there is a bucket of so many seconds.
    public init(
        bucketSeconds: UInt32, bucketStart: Int64, quadkey: Quadkey?, plmn: PLMN, technology: Technology,
        population: Population
    ) {
        self.init(
            programme: Programme.qoeNumber, bucket: Bucket(seconds: bucketSeconds)!, bucketStart: bucketStart,
            quadkey: quadkey, scope: UInt32(truncatingIfNeeded: plmn.rawValue),
            stratum: UInt8(truncatingIfNeeded: technology.rawValue), population: population)
    }

    public var plmn: PLMN { PLMN(rawValue: Int64(scope)) }
    public var technology: Technology { Technology(rawValue: Int64(stratum)) ?? .unknown }
}
