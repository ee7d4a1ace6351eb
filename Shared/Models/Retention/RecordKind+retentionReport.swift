extension RecordKind {
    /// What a service did of a retention order, on the lane it writes: ``RetentionReportDocument``.
    public static let retentionReport = RecordKind(
        id: 29, name: "retention_report", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 96)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
