extension RecordKind {
    /// One reward for one feedback, on the `rewards` lane: ``GrantDocument``, keyed by its identifier.
    public static let grant = RecordKind(
        id: 12, name: "grant", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 64)),
            Field(ColumnID.device, "device", .number(scale: 1)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
