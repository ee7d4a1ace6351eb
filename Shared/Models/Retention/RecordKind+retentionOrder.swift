extension RecordKind {
    /// What is to be deleted because its time is over, on the `privacy` lane: ``RetentionOrderDocument``.
    public static let retentionOrder = RecordKind(
        id: 28, name: "retention_order", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 96)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
