internal import Models

/// A page of erasure notices.
struct NoticePage: Encodable {
    let notices: [NoticeDocument]
    /// The `cursor` of the next page; left out on the last.
    let next: String?
}

/// An erasure notice as its tenant sees it.
struct NoticeDocument: Encodable {
    struct Acknowledged: Encodable {
        let contact: String
        let at_ms: Int64
    }

    let id: String
    /// UTC day of reception and pseudonym of that day: the rows of these two are meant.
    let day, device: String
    /// How many rows the tenant could have downloaded.
    let rows: Int
    /// `everything`, or `part`: only what was captured from `captured_from_ms` to `captured_to_ms`, both included.
    let scope: String
    let captured_from_ms, captured_to_ms: Int64?
    /// UTC day since which it can be asked for. Not the moment: notices of one moment would belong to one device.
    let since: String
    /// Left out until somebody has said that it is done.
    let acknowledged: Acknowledged?

    init(_ notice: ErasureNotice) {
        id = notice.id
        day = notice.day
        device = notice.device
        rows = notice.rows
        scope = notice.isWhole ? "everything" : "part"
        captured_from_ms = notice.isWhole ? nil : notice.captured.lowerBound
        captured_to_ms = notice.isWhole ? nil : notice.captured.upperBound
        since = ReceivedDay.text(of: ReceivedDay.number(of: notice.publishedAt))
        acknowledged = notice.acknowledgedAt.map { Acknowledged(contact: notice.acknowledgedBy ?? "", at_ms: $0) }
    }
}
