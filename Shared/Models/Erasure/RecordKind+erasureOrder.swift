extension RecordKind {
    /// How an erasure stands, on the `privacy` lane, keyed by the request: ``ErasureOrderDocument``.
    public static let erasureOrder = RecordKind(
        id: 21, name: "erasure_order", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 96)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
