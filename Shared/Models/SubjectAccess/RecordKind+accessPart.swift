extension RecordKind {
    /// A part of what a service holds about a device, on the lane it writes and then on `privacy`, keyed by request, service and
    /// number, until the request is closed: ``AccessPartDocument`` and the sealed bytes.
    public static let accessPart = RecordKind(
        id: 27, name: "access_part", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 96)),
            Field(ColumnID.device, "device", .number(scale: 1)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
            Field(ColumnID.sealed, "sealed", .text(maximumCharacters: .max)),
        ])
}
