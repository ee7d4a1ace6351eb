import Wire

/// The open rows of one local day that came with one block.
struct OpenRowBlock {
    var key: BlockKey
    var rows: EncodedColumns
    /// The devices of the rows, as ``DeviceSet``.
    var subjects: [UInt8]
}
