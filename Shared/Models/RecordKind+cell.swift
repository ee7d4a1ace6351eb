extension RecordKind {
    /// The state of one statistics cell, on the `rollups` lane: absolute figures, keyed by ``CellKey``.
    public static let cell = RecordKind(
        id: 3, name: "cell", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 32)),
            Field(ColumnID.bucketSeconds, "bucket_seconds", .number(scale: 1), unit: "s"),
            Field(
                ColumnID.bucketStart, "bucket_start", .number(scale: 1), unit: "Unix s", range: 0...Int64.max,
                delta: true),
            Field(ColumnID.level, "level", .number(scale: 1), range: 0...16),
            Field(ColumnID.quadkey, "quadkey", .number(scale: 1), delta: true),
            Field(ColumnID.plmn, "plmn", .number(scale: 1)),
            Field(ColumnID.technology, "technology", .number(scale: 1)),
            Field(ColumnID.samples, "samples", .number(scale: 1)),
            Field(ColumnID.devices, "devices", .number(scale: 1)),
            Field(ColumnID.histograms, "histograms", .text(maximumCharacters: .max)),
        ])
}
