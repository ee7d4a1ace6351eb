public import Models

extension RecordKind {
    /// What became of a prompt that a phone showed. It is never urgent, so it travels on the `batch` lane.
    ///
    /// `rule` says what happened to the subscriber. It is removed without consent to `call_events`, unless it is an emergency.
    public static let prompt = RecordKind(
        id: 6, name: "prompt", version: 1,
        fields: Field.identity + [
            Field(
                ColumnID.promptID, "prompt_id", .text(maximumCharacters: 64),
                meaning: "the prompt that was answered, as the phone named it"),
            Field(ColumnID.outcome, "outcome", .choice(.promptOutcome), range: 0...3),
            Field(ColumnID.policyVersion, "policy_version", .text(maximumCharacters: 64)),
            Field(ColumnID.promptRule, "rule", .choice(.promptRule), range: 0...3),
            Field(ColumnID.mcc, "mcc", .digits, range: 1...999, meaning: "of the SIM"),
            Field(ColumnID.mnc, "mnc", .digits, range: 0...999, meaning: "of the SIM, with or without leading zeros"),
        ],
        serverFields: Field.reception,
        required: [ColumnID.promptID, ColumnID.outcome, ColumnID.policyVersion],
        consents: [
            ColumnConsent(ColumnID.promptRule, purpose: "call_events", except: PromptRule.emergency.rawValue)
        ])
}
