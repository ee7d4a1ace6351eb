extension RecordKind {
    /// When phones ask their subscribers for feedback, on the `operations` lane: a JSON object with a `version` that rises,
    /// under the one key `policy`.
    public static let promptPolicy = RecordKind(
        id: 11, name: "prompt_policy", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 64)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
