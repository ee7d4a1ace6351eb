internal import GRDB
package import Models
internal import Storage

/// A file of an export as the table has it. A day has no file of its own: it is its hours, one behind the other.
package struct StoredExport: Sendable, Equatable {
    static let columns = """
        tenant, start, hours, version, rows, bytes, header_bytes, sha256, key_id, layout, made_at, stale_at
        """

    package let tenant: Int64
    package let span: ExportSpan
    /// From 1; one more each time that its bytes have become others.
    package var version: Int64
    package let rows: Int
    /// Of the file as it is downloaded.
    package let bytes: Int64
    /// Of these, at the front, the compressed line of names, which only the first hour of a day has.
    let headerBytes: Int64
    package let sha256: [UInt8]
    /// By which key it is sealed at rest, 0 if it is clear.
    let keyID: UInt32
    /// Which columns it has.
    let layout: Int64
    package let madeAt: UnixMilliseconds
    /// Since when it has had other rows than it should have: it must not be given to anybody, and is made anew.
    var staleAt: UnixMilliseconds?

    init(
        tenant: Int64, span: ExportSpan, rows: Int, bytes: Int64, headerBytes: Int64, sha256: [UInt8], keyID: UInt32,
        layout: Int64, madeAt: UnixMilliseconds
    ) {
        (self.tenant, self.span, self.rows, self.bytes, self.headerBytes) = (tenant, span, rows, bytes, headerBytes)
        (self.sha256, self.keyID, self.layout, self.madeAt) = (sha256, keyID, layout, madeAt)
        version = 1
    }

    init(_ row: Row) {
        tenant = row[0]
        span = ExportSpan(start: row[1], hours: row[2])
        version = row[3]
        rows = row[4]
        bytes = row[5]
        headerBytes = row[6]
        sha256 = Blob.bytes(row, 7)
        keyID = UInt32(truncatingIfNeeded: row[8] as Int64)
        layout = row[9]
        madeAt = row[10]
        staleAt = row[11]
    }

    package var isCurrent: Bool { staleAt == nil }
}
