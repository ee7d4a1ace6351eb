extension RecordKind {
    /// That a subscriber, or an operator for one, wants records erased, on the `requests` lane: ``ErasureRequestDocument``.
    public static let erasureRequest = RecordKind(
        id: 19, name: "erasure_request", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.device, "device", .number(scale: 1)),
            Field(ColumnID.receivedAt, "received_at_ms", .instant, unit: "Unix ms", delta: true),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
