extension RecordKind {
    /// Who of a tenant is on call when, on the `operations` lane: a JSON object that `OnCall` compiles, keyed by `tenant/name`. Without
    /// document: removed.
    public static let schedule = RecordKind(id: 43, name: "schedule", version: 1, fields: [], serverFields: keyed)

    /// Whom a tenant calls about an alarm that nobody takes, on the `operations` lane: as ``schedule``.
    public static let escalation = RecordKind(id: 44, name: "escalation", version: 1, fields: [], serverFields: keyed)

    /// When a tenant has planned work, on the `operations` lane: as ``schedule``.
    public static let maintenance = RecordKind(id: 45, name: "maintenance", version: 1, fields: [], serverFields: keyed)

    private static let keyed = [
        Field(ColumnID.key, "key", .text(maximumCharacters: 160)),
        Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
    ]
}
