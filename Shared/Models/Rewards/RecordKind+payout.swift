extension RecordKind {
    /// Where a subscriber's rewards go from now on, on the `requests` lane; the document is a ``PayoutDocument``.
    public static let payout = RecordKind(
        id: 17, name: "payout", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.device, "device", .number(scale: 1)),
            Field(ColumnID.receivedAt, "received_at_ms", .instant, unit: "Unix ms", delta: true),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// The key to which payout numbers are sealed, on the `rewards` lane under the key `current`; the document is a
    /// ``PayoutKeyDocument``.
    public static let payoutKey = RecordKind(
        id: 18, name: "payout_key", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 32)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
