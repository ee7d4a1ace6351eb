extension RecordKind {
    /// A tenant, on the `operations` lane: ``TenantDocument``, keyed by its name. Without document: removed.
    public static let tenant = RecordKind(
        id: 7, name: "tenant", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 160)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
