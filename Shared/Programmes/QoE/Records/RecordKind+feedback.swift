public import Models

extension RecordKind {
    /// How it felt: a rating, with the measurement of the same moment as its context.
    public static let feedback = RecordKind(
        id: 2, name: "feedback", version: 1,
        fields: Field.identity + [
            Field(ColumnID.rating, "rating", .number(scale: 1), range: 1...5),
            Field(ColumnID.comment, "comment", .text(maximumCharacters: 50)),
            Field(ColumnID.trigger, "trigger", .choice(.trigger), range: 0...2),
            Field(
                ColumnID.promptID, "prompt_id", .text(maximumCharacters: 64),
                meaning: "the prompt that was answered, as the phone named it"),
            Field(ColumnID.reportID, "report_id", .identifier, meaning: "the report that was rated"),
        ] + measurementFields,
        serverFields: Field.reception, required: [ColumnID.rating],
        spellings: [Field(ColumnID.rating, "emoji", .choice(.faces))], plausibility: .radio,
        problems: AlarmProblem.qoe, consents: [eventConsent])
}
