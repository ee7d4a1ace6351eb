extension RecordKind {
    /// That a service has executed an erasure, on the lane it writes, keyed by request and service: ``ErasureReceiptDocument``.
    public static let erasureReceipt = RecordKind(
        id: 23, name: "erasure_receipt", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 96)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
