internal import GRDB
package import Models

/// What a tenant is to delete from its copies.
package struct ErasureNotice: Sendable, Equatable {
    static let columns = """
        id, day, device, rows, whole, captured_from, captured_to, published_at, acknowledged_at, acknowledged_by
        """

    /// 32 random hexadecimal digits: tells nothing of other notices.
    package let id: String
    /// The UTC day on which the rows were received.
    package let day: String
    /// The pseudonym under which the tenant saw the device on that day.
    package let device: String
    package let rows: Int
    /// Everything of that day and pseudonym is to go, not only what was captured within ``captured``.
    package let isWhole: Bool
    package let captured: ClosedRange<UnixMilliseconds>
    package let publishedAt: UnixMilliseconds
    package let acknowledgedAt: UnixMilliseconds?
    /// The contact who did.
    package let acknowledgedBy: String?

    init(_ row: Row) {
        id = row[0]
        day = row[1]
        device = row[2]
        rows = row[3]
        isWhole = row[4]
        captured = (row[5] as Int64)...(row[6] as Int64)
        publishedAt = row[7]
        acknowledgedAt = row[8]
        acknowledgedBy = row[9]
    }
}
