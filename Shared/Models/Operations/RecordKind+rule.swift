extension RecordKind {
    /// A rule that operators set, on the `operations` lane: a JSON object that the reader of the rule understands, keyed by
    /// its id. Without document: removed.
    public static let rule = RecordKind(
        id: 9, name: "rule", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 160)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
