extension RecordKind {
    /// What is paid for feedback, on the `operations` lane: ``CampaignDocument``, keyed by its id. Without document: removed.
    public static let campaign = RecordKind(
        id: 10, name: "campaign", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 64)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
