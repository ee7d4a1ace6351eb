extension RecordKind {
    /// A public key that verifies a service's signatures, on the lane it writes and then on `privacy`, keyed by the key's id:
    /// ``VerificationKeyDocument``.
    public static let verificationKey = RecordKind(
        id: 24, name: "verification_key", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 96)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
