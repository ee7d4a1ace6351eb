/// A table as bytes, with what a block header records of it.
public struct EncodedColumns: Sendable, Equatable {
    /// The payload; its layout is drawn at ``ColumnEncoder``.
    public var payload: [UInt8]
    /// Bytes of the section that was deflated, before it was.
    public var rawLength: Int
    /// CRC-32 of `payload`.
    public var crc32: UInt32
    /// Rows of the table.
    public var rowCount: Int
}
