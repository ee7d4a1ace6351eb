internal import GRDB
package import Models
internal import Storage

/// A file of an export as the table has it. A day of raw rows has no file of its own: it is its hours, one behind the other.
package struct StoredExport: Sendable, Equatable {
    static let columns = """
        tenant, start, hours, content, version, rows, bytes, header_bytes, sha256, key_id, layout, made_at, stale_at,
        outdated_at
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
    /// Since when there have been newer figures than it has. It is still given, until an erasure may be what is new.
    var outdatedAt: UnixMilliseconds?

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
        span = ExportSpan(start: row[1], hours: row[2], content: row[3])
        version = row[4]
        rows = row[5]
        bytes = row[6]
        headerBytes = row[7]
        sha256 = Blob.bytes(row, 8)
        keyID = UInt32(truncatingIfNeeded: row[9] as Int64)
        layout = row[10]
        madeAt = row[11]
        staleAt = row[12]
        outdatedAt = row[13]
    }

    package var isCurrent: Bool { staleAt == nil }
}
