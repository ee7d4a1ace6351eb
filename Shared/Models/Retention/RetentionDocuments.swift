extension RecordKind {
    /// What is to be deleted because its time is over, on the `privacy` lane: ``RetentionOrderDocument``.
    public static let retentionOrder = RecordKind(
        id: 28, name: "retention_order", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 96)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// What a service did of a retention order, on the lane it writes: ``RetentionReportDocument``.
    public static let retentionReport = RecordKind(
        id: 29, name: "retention_report", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 96)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}

/// The document of a record of kind `retention_order`: what is to be deleted now, or only counted.
public struct RetentionOrderDocument: Codable, Sendable, Equatable {
    /// Who gave it.
    public enum Source: String, Codable, Sendable {
        case schedule, operatorAdmin = "operator"
    }

    public static let dayMilliseconds: UnixMilliseconds = 86_400_000

    /// Identifier.
    public var order: String
    /// Unix milliseconds.
    public var issuedAt: UnixMilliseconds
    /// True if everything is only counted.
    public var isDryRun: Bool
    public var source: Source
    /// By the kind's name: everything older goes; Unix milliseconds.
    public var cutoffs: [String: UnixMilliseconds]

    /// - Parameter days: for how many days each kind is kept. Cut-offs are midnights, UTC, the day files' own.
    public init(
        issuedAt: UnixMilliseconds, isDryRun: Bool, source: Source, days: [RetentionKind: Int]
    ) {
        order = "\(isDryRun ? "dry" : "run")-\(issuedAt)"
        self.issuedAt = issuedAt
        self.isDryRun = isDryRun
        self.source = source
        cutoffs = Dictionary(
            uniqueKeysWithValues: days.map { ($0.rawValue, Self.midnight(before: issuedAt, days: $1)) })
    }

    /// Before when a kind goes; nil if the order says nothing of it. Whatever it says, nothing goes that is younger than the
    /// least that the kind may be kept.
    public func cutoff(of kind: RetentionKind) -> UnixMilliseconds? {
        cutoffs[kind.rawValue].map { min($0, Self.midnight(before: issuedAt, days: kind.rule.range.lowerBound)) }
    }

    /// What a record of the order has as its key: one of each sort counts.
    public var key: String { isDryRun ? "dry_run" : "run" }

    private static func midnight(before time: UnixMilliseconds, days: Int) -> UnixMilliseconds {
        let back = time - Int64(days) * dayMilliseconds
        return back - (back % dayMilliseconds + dayMilliseconds) % dayMilliseconds
    }

    enum CodingKeys: String, CodingKey {
        case order, source, cutoffs
        case issuedAt = "issued_at_ms"
        case isDryRun = "dry_run"
    }
}

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
