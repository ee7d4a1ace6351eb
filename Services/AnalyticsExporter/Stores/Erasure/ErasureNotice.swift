internal import GRDB
internal import Models

/// What a tenant is to delete from its copies.
struct ErasureNotice: Sendable, Equatable {
    static let columns = """
        id, day, device, rows, whole, captured_from, captured_to, published_at, acknowledged_at, acknowledged_by
        """

    /// 32 random hexadecimal digits: tells nothing of other notices.
    let id: String
    /// The UTC day on which the rows were received.
    let day: String
    /// The pseudonym under which the tenant saw the device on that day.
    let device: String
    let rows: Int
    /// Everything of that day and pseudonym is to go, not only what was captured within ``captured``.
    let isWhole: Bool
    let captured: ClosedRange<UnixMilliseconds>
    let publishedAt: UnixMilliseconds
    let acknowledgedAt: UnixMilliseconds?
    /// The contact who did.
    let acknowledgedBy: String?

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
