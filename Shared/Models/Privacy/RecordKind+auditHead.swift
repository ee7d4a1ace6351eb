extension RecordKind {
    /// How long the audit log is and what its last hash is, on the `privacy` lane under the key `head`; the document is an
    /// ``AuditHeadDocument``.
    public static let auditHead = RecordKind(
        id: 14, name: "audit_head", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 64)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
