import Models

/// Rain gauges at sites: a programme as small as one can be. Nothing outside this folder knows it; it is registered where
/// ``RainGaugeHouse`` puts the services together.
extension Programme {
    static let rainGauge = Programme(
        number: 9, name: "rain-gauge", kinds: [.rain],
        metrics: [ProgrammeMetric(64, "rain_mm", column: RainGauge.depth, bins: .linear(divisor: 10))], finestLevel: 20)
}

/// Numbers of its columns.
enum RainGauge {
    static let depth: UInt8 = 128
    static let battery: UInt8 = 129
    static let site: UInt8 = 130
    static let gauge: UInt8 = 131

    /// A downpour: 50 mm and more since the last reading.
    static let downpour: Int64 = 500
}

extension AlarmProblem {
    static let downpour = AlarmProblem(
        100, rule: "urgent.downpour", severity: .major, type: "environmentalAlarm", cause: "thresholdCrossed",
        text: "it pours", french: "il pleut à verse",
        when: [ColumnCondition(RainGauge.depth, RainGauge.downpour...(.max))])
}

extension RecordKind {
    static let rain = RecordKind(
        id: 200, name: "rain", version: 1,
        fields: Field.identity + Field.position + [
            Field(RainGauge.depth, "rain_mm", .number(scale: 10), unit: "mm", range: 0...20_000),
            Field(RainGauge.battery, "battery_pct", .number(scale: 1), unit: "%", range: 0...100),
            Field(RainGauge.site, "site", .digits, range: Scope.numbers),
            Field(RainGauge.gauge, "gauge", .digits, range: 1...9_999),
        ],
        serverFields: Field.reception, required: [RainGauge.depth, RainGauge.site, RainGauge.gauge],
        problems: [.downpour])
}

extension ProgrammeKind {
    static let rain = ProgrammeKind(
        .rain, path: "/v1/rain",
        description: Description(
            schema: "Rain", operation: "sendRain", summary: "Sends what fell",
            example: #"{"seq":1,"captured_at":"2026-11-21T08:30:00Z","rain_mm":3.5,"site":12,"gauge":7}"#,
            csv: "seq,captured_at_ms,rain_mm,site,gauge\r\n1,1795249800000,3.5,12,7\r\n"),
        scope: .number(scheme: "site", column: RainGauge.site),
        subject: .number(scheme: "gauge", column: RainGauge.gauge), isRewarded: true,
        held: HeldText(
            english: "what this gauge measured", french: "ce que ce pluviomètre a mesuré",
            whyEnglish: "its site sees when it rains", whyFrench: "son site voit quand il pleut"))
}
