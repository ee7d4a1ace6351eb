extension RecordKind {
    /// The state of one statistics cell, on the `rollups` lane: absolute figures. The key is ``CellKey/bytes``.
    ///
    /// A cell whose rows all lie in one cell inside it has no figures but the key of that one, its `source`: samples,
    /// devices and histograms are those of the source, now and until the next row with the key. Version 1 had no
    /// sources; up to version 2 keys had another form (``CellKey/init(version1:)``).
    public static let cell = RecordKind(
        id: 3, name: "cell", version: 3, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 32)),
            Field(ColumnID.samples, "samples", .number(scale: 1)),
            Field(ColumnID.devices, "devices", .number(scale: 1)),
            Field(ColumnID.histograms, "histograms", .text(maximumCharacters: .max)),
            Field(ColumnID.source, "source", .text(maximumCharacters: 32)),
        ])
}
