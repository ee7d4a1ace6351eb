extension RecordKind {
    /// That a device's records count in an alarm, on the `alerts` lane: ``ContributionDocument``, keyed by alarm and device.
    ///
    /// A kind of its own beside ``alarm``, so that who reads alarms is sent nobody's devices, and one row a device, so that what
    /// is a subscriber's can be taken out.
    public static let contribution = RecordKind(
        id: 15, name: "contribution", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 96)),
            Field(ColumnID.device, "device", .number(scale: 1)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}
