public import Models

extension RecordKind {
    /// What a phone measured at one moment.
    public static let report = RecordKind(
        id: 1, name: "report", version: 1, fields: Field.identity + measurementFields,
        serverFields: Field.reception, plausibility: .radio, problems: [.emergency, .noService, .callDrop],
        consents: [eventConsent])

    /// An event is removed without consent to `call_events`, unless it is an emergency.
    static let eventConsent = ColumnConsent(
        ColumnID.event, purpose: "call_events", except: NetworkEvent.emergency.rawValue)

    /// What the phone measured; feedback carries it as its context.
    static let measurementFields: [Field] =
        Field.position + [
            Field(
                ColumnID.networkType, "network_type", .choice(.networkType), range: 0...13,
                meaning: "in upper or lower case; blanks, hyphens and the like do not count"),
            Field(ColumnID.mcc, "mcc", .digits, range: 1...999, meaning: "of the SIM"),
            Field(ColumnID.mnc, "mnc", .digits, range: 0...999, meaning: "of the SIM, with or without leading zeros"),
            Field(
                ColumnID.servingMCC, "serving_mcc", .digits, range: 1...999,
                meaning: "where the phone is registered with another network"),
            Field(
                ColumnID.servingMNC, "serving_mnc", .digits, range: 0...999,
                meaning: "where the phone is registered with another network"),
            Field(
                ColumnID.plmnSource, "plmn_source", .choice(.plmnSource), range: 0...2,
                meaning: "where `mcc` and `mnc` are from"),
            Field(ColumnID.simSlot, "sim_slot", .number(scale: 1), range: 0...7),
            Field(ColumnID.roaming, "roaming", .flag, range: 0...1),
            Field(ColumnID.cellID, "cell_id", .digits, range: 0...(1 << 36 - 1), delta: true),
            Field(ColumnID.areaCode, "area_code", .digits, range: 0...(1 << 24 - 1), meaning: "LAC or TAC"),
            Field(ColumnID.pci, "pci", .number(scale: 1), range: 0...1007, meaning: "physical cell identity"),
            Field(
                ColumnID.channel, "channel", .number(scale: 1), range: 0...3_279_165,
                meaning: "ARFCN, UARFCN, EARFCN or NR-ARFCN"),
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
            Field(
                ColumnID.testMethod, "test_method", .choice(.testMethod), range: 0...2,
                meaning: "how speed and latency were measured, if by a test"),
            Field(
                ColumnID.testBytes, "test_bytes", .number(scale: 1), unit: "bytes", range: 0...1_000_000_000_000,
                meaning: "what the test took of the data plan, in both directions"),
            Field(
                ColumnID.testDuration, "test_duration_ms", .number(scale: 1), unit: "ms", range: 0...600_000,
                meaning: "of the whole test"),
            Field(
                ColumnID.testLeastRoundTrip, "test_min_rtt_ms", .number(scale: 10), unit: "ms", range: 0...600_000,
                meaning: "the shortest round trip while nothing else was sent"),
            Field(
                ColumnID.testLoadedRoundTrip, "test_loaded_rtt_ms", .number(scale: 10), unit: "ms", range: 0...600_000,
                meaning: "the median round trip beside the download"),
            Field(ColumnID.event, "event", .choice(.event), range: 0...4),
            Field(
                ColumnID.mockLocation, "mock_location", .flag, range: 0...1,
                meaning: "the position was set by an app; such records never reach statistics or rewards"),
        ]
}

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
