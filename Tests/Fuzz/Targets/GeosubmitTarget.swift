/// A body of Geosubmit v2, plain or, if it begins as gzip does, compressed.
struct GeosubmitTarget: FuzzTarget {
    private let invariants = UploadInvariants()

    func run(_ bytes: UnsafeRawBufferPointer) throws {
        let isCompressed = bytes.count > 1 && bytes[0] == 0x1F && bytes[1] == 0x8B
        try invariants.checkGeosubmit(bytes, isCompressed: isCompressed)
    }
}
