extension Field {
    /// Who says it and when: the first columns of every kind that phones send.
    public static let identity: [Field] = [
        Field(
            ColumnID.id, "id", .identifier, meaning: "UUID, version 7 preferred; may be left out where `seq` is given"),
        Field(
            ColumnID.seq, "seq", .number(scale: 1), range: 1...(1 << 53), delta: true,
            meaning: "the device's own counter"),
        Field(
            ColumnID.capturedAt, "captured_at", .instant, unit: "Unix ms", delta: true,
            meaning: "RFC 3339; at most 8 days ago and 5 minutes ahead of the server's clock"),
    ]

    /// Where it was said, and how well that is known.
    public static let position: [Field] = [
        Field(
            ColumnID.latitude, "latitude", .number(scale: 10_000_000), unit: "° WGS 84",
            range: -900_000_000...900_000_000, delta: true, meaning: "latitude and longitude are not both exactly 0"),
        Field(
            ColumnID.longitude, "longitude", .number(scale: 10_000_000), unit: "° WGS 84",
            range: -1_800_000_000...1_800_000_000, delta: true),
        Field(
            ColumnID.accuracy, "accuracy_m", .number(scale: 10), unit: "m", range: 0...200_000_000,
            meaning: "radius of the position: the map shows it in a cell as wide, and not at all beyond 10 km"),
        Field(ColumnID.locationSource, "location_source", .choice(.locationSource), range: 0...2),
        Field(ColumnID.speed, "speed_mps", .number(scale: 100), unit: "m/s", range: 0...50_000),
    ]

    /// What ingest adds to every row it accepts.
    public static let reception: [Field] = [
        Field(ColumnID.device, "device", .number(scale: 1)),
        Field(ColumnID.receivedAt, "received_at_ms", .instant, unit: "Unix ms", delta: true),
        Field(
            ColumnID.clockOffset, "clock_offset_ms", .number(scale: 1), unit: "ms", range: Int64.min...Int64.max),
        Field(ColumnID.consentVersion, "consent_version", .number(scale: 1)),
        Field(ColumnID.flags, "flags", .number(scale: 1)),
    ]
}

extension Choices {
    /// Where a position comes from.
    public static let locationSource = Choices(["gps", "network", "cell"])
}
