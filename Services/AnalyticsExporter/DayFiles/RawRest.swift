internal import Wire

/// What remains of a block when rows were erased from it.
struct RawRest {
    let columns: Columns
    let gap: RawGap
    /// As it is stored, sealed if the block was.
    let payload: [UInt8]

    init(_ columns: Columns, _ gap: RawGap, _ payload: [UInt8]) {
        self.columns = columns
        self.gap = gap
        self.payload = payload
    }
}
