/// A block of a lane: its header and its clear, compressed payload.
public struct Block: Sendable, Equatable {
    /// What is known of the block without opening it.
    public var header: BlockHeader
    /// The payload as ``ColumnEncoder`` wrote it.
    public var payload: [UInt8]

    /// A block of a header and its payload.
    public init(header: BlockHeader, payload: [UInt8]) {
        self.header = header
        self.payload = payload
    }

    /// The table of the block; throws ``WireError`` if payload and header do not fit each other.
    ///
    /// - Parameter wanted: `ColumnID`s of the columns that the table is to have, as far as the block has them; nil is all.
    public func columns(
        with decoder: inout ColumnDecoder, only wanted: Set<UInt8>? = nil
    ) throws(WireError) -> Columns {
        try decoder.decode(
            payload, rowCount: header.rowCount, rawLength: header.rawLength, crc32: header.crc32, only: wanted)
    }
}
