extension RecordKind {
    /// A contact of a tenant, on the `operations` lane: ``ContactDocument``, keyed by `tenant/name`. Without document: removed.
    public static let contact = RecordKind(
        id: 8, name: "contact", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 160)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
