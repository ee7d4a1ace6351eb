/// The document of a record of kind `retention_report`: what a service did of a retention order.
public struct RetentionReportDocument: Codable, Sendable, Equatable {
    /// Identifier of the order.
    public var order: String
    public var isDryRun: Bool
    /// By the name of its program without `nkul-`.
    public var service: String
    /// Unix milliseconds.
    public var finishedAt: UnixMilliseconds
    /// By the kind's name.
    public var kinds: [String: RetentionFigures]

    public init(
        order: String, isDryRun: Bool, service: String, finishedAt: UnixMilliseconds, kinds: [String: RetentionFigures]
    ) {
        self.order = order
        self.isDryRun = isDryRun
        self.service = service
        self.finishedAt = finishedAt
        self.kinds = kinds
    }

    /// What a record of the report has as its key: of each service the last one of each sort counts.
    public var key: String { "\(service)/\(isDryRun ? "dry_run" : "run")" }

    enum CodingKeys: String, CodingKey {
        case order, service, kinds
        case isDryRun = "dry_run"
        case finishedAt = "finished_at_ms"
    }
}
