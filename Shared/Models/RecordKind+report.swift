extension RecordKind {
    /// What a phone measured at one moment.
    public static let report = RecordKind(
        id: 1, name: "report", version: 1, fields: identityFields + measurementFields, serverFields: receptionFields)

    /// Who says it and when; the first columns of reports and feedback.
    static let identityFields: [Field] = [
        Field(ColumnID.id, "id", .identifier),
        Field(ColumnID.seq, "seq", .number(scale: 1), range: 1...(1 << 53), delta: true),
        Field(ColumnID.capturedAt, "captured_at", .instant, unit: "Unix ms", delta: true),
    ]

    /// What the phone measured; feedback carries it as its context.
    static let measurementFields: [Field] = [
        Field(
            ColumnID.latitude, "latitude", .number(scale: 10_000_000), unit: "° WGS 84",
            range: -900_000_000...900_000_000, delta: true),
        Field(
            ColumnID.longitude, "longitude", .number(scale: 10_000_000), unit: "° WGS 84",
            range: -1_800_000_000...1_800_000_000, delta: true),
        Field(ColumnID.accuracy, "accuracy_m", .number(scale: 10), unit: "m", range: 0...100_000),
        Field(ColumnID.locationSource, "location_source", .choice(.locationSource), range: 0...2),
        Field(ColumnID.speed, "speed_mps", .number(scale: 100), unit: "m/s", range: 0...50_000),
        Field(ColumnID.networkType, "network_type", .choice(.networkType), range: 0...13),
        Field(ColumnID.mcc, "mcc", .digits, range: 1...999),
        Field(ColumnID.mnc, "mnc", .digits, range: 0...999),
        Field(ColumnID.servingMCC, "serving_mcc", .digits, range: 1...999),
        Field(ColumnID.servingMNC, "serving_mnc", .digits, range: 0...999),
        Field(ColumnID.plmnSource, "plmn_source", .choice(.plmnSource), range: 0...2),
        Field(ColumnID.simSlot, "sim_slot", .number(scale: 1), range: 0...7),
        Field(ColumnID.roaming, "roaming", .flag, range: 0...1),
        Field(ColumnID.cellID, "cell_id", .digits, range: 0...(1 << 36 - 1), delta: true),
        Field(ColumnID.areaCode, "area_code", .digits, range: 0...(1 << 24 - 1)),
        Field(ColumnID.pci, "pci", .number(scale: 1), range: 0...1007),
        Field(ColumnID.channel, "channel", .number(scale: 1), range: 0...3_279_165),
        Field(ColumnID.rsrp, "rsrp_dbm", .number(scale: 10), unit: "dBm", range: -1560 ... -310),
        Field(ColumnID.rsrq, "rsrq_db", .number(scale: 10), unit: "dB", range: -430...200),
        Field(ColumnID.sinr, "sinr_db", .number(scale: 10), unit: "dB", range: -230...400),
        Field(ColumnID.rssi, "rssi_dbm", .number(scale: 10), unit: "dBm", range: -1210 ... -250),
        Field(ColumnID.cqi, "cqi", .number(scale: 1), range: 0...15),
        Field(ColumnID.download, "download_kbps", .number(scale: 1), unit: "kbit/s", range: 0...10_000_000),
        Field(ColumnID.upload, "upload_kbps", .number(scale: 1), unit: "kbit/s", range: 0...10_000_000),
        Field(ColumnID.latency, "latency_ms", .number(scale: 10), unit: "ms", range: 0...600_000),
        Field(ColumnID.jitter, "jitter_ms", .number(scale: 10), unit: "ms", range: 0...600_000),
        Field(ColumnID.loss, "loss_pct", .number(scale: 100), unit: "%", range: 0...10_000),
        Field(ColumnID.event, "event", .choice(.event), range: 0...4),
        Field(ColumnID.mockLocation, "mock_location", .flag, range: 0...1),
    ]

    /// What ingest adds to every row it accepts.
    static let receptionFields: [Field] = [
        Field(ColumnID.device, "device", .number(scale: 1)),
        Field(ColumnID.receivedAt, "received_at_ms", .instant, unit: "Unix ms", delta: true),
        Field(
            ColumnID.clockOffset, "clock_offset_ms", .number(scale: 1), unit: "ms", range: Int64.min...Int64.max),
        Field(ColumnID.consentVersion, "consent_version", .number(scale: 1)),
        Field(ColumnID.flags, "flags", .number(scale: 1)),
    ]
}
