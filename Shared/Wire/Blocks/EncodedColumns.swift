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

    /// A table as it was stored.
    public init(payload: [UInt8], rawLength: Int, crc32: UInt32, rowCount: Int) {
        self.payload = payload
        self.rawLength = rawLength
        self.crc32 = crc32
        self.rowCount = rowCount
    }
}
