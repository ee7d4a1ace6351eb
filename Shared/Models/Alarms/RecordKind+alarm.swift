extension RecordKind {
    /// An alarm as TM Forum TMF642 JSON, on the `alerts` lane, keyed by its identifier.
    public static let alarm = RecordKind(
        id: 4, name: "alarm", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 64)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
            Field(ColumnID.networks, "networks", .text(maximumCharacters: .max)),
            Field(ColumnID.scope, "scope", .text(maximumCharacters: 64)),
        ])
}
