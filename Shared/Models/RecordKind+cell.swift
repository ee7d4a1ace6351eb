extension RecordKind {
    /// The state of one statistics cell, on the `rollups` lane: absolute figures. The key is ``CellKey/bytes``.
    public static let cell = RecordKind(
        id: 3, name: "cell", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 32)),
            Field(ColumnID.samples, "samples", .number(scale: 1)),
            Field(ColumnID.devices, "devices", .number(scale: 1)),
            Field(ColumnID.histograms, "histograms", .text(maximumCharacters: .max)),
        ])
}
