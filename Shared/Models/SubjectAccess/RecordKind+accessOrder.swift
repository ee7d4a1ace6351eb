extension RecordKind {
    /// Whose data are asked for, on the `privacy` lane, keyed by the request, until it is closed: ``AccessOrderDocument``.
    public static let accessOrder = RecordKind(
        id: 26, name: "access_order", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 96)),
            Field(ColumnID.device, "device", .number(scale: 1)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
