extension RecordKind {
    /// A bound pair of alert sockets as JSON (``EndpointDocument``), on the `alerts` lane, keyed by the tenant's name.
    public static let endpoint = RecordKind(
        id: 16, name: "endpoint", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 64)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
