extension RecordKind {
    /// Whom an erasure is about, on the `privacy` lane, keyed by the request, until all have signed: ``ErasureSubjectDocument``.
    public static let erasureSubject = RecordKind(
        id: 22, name: "erasure_subject", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 96)),
            Field(ColumnID.device, "device", .number(scale: 1)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
