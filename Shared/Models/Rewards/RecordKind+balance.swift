extension RecordKind {
    /// What a device was paid and is owed, on the `rewards` lane: ``BalanceDocument``, keyed by the device's ordinal.
    public static let balance = RecordKind(
        id: 13, name: "balance", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 32)),
            Field(ColumnID.device, "device", .number(scale: 1)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
