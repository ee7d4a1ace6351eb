extension RecordKind {
    /// What a subscriber allows from now on, on the `requests` lane; the document is a ``ConsentDocument``.
    public static let consent = RecordKind(
        id: 5, name: "consent", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.device, "device", .number(scale: 1)),
            Field(ColumnID.receivedAt, "received_at_ms", .instant, unit: "Unix ms", delta: true),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
