extension RecordKind {
    /// That a subscriber, or an operator for one, wants a copy of everything that is held, on the `requests` lane:
    /// ``AccessRequestDocument``.
    public static let accessRequest = RecordKind(
        id: 25, name: "access_request", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.device, "device", .number(scale: 1)),
            Field(ColumnID.receivedAt, "received_at_ms", .instant, unit: "Unix ms", delta: true),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
