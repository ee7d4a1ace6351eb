extension RecordKind {
    /// What became of a prompt that a phone showed, on the `batch` lane: nobody waits for it.
    ///
    /// `rule` says what happened to the subscriber, so it goes without consent to `call_events` as an event does.
    public static let prompt = RecordKind(
        id: 6, name: "prompt", version: 1,
        fields: identityFields + [
            Field(ColumnID.promptID, "prompt_id", .text(maximumCharacters: 64)),
            Field(ColumnID.outcome, "outcome", .choice(.promptOutcome), range: 0...3),
            Field(ColumnID.policyVersion, "policy_version", .text(maximumCharacters: 64)),
            Field(ColumnID.promptRule, "rule", .choice(.promptRule), range: 0...3),
            Field(ColumnID.mcc, "mcc", .digits, range: 1...999),
            Field(ColumnID.mnc, "mnc", .digits, range: 0...999),
        ],
        serverFields: receptionFields,
        required: [ColumnID.promptID, ColumnID.outcome, ColumnID.policyVersion])
}
