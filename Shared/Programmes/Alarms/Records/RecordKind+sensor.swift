public import Models

/// Numbers of the columns of `sensor_event`.
public enum SensorEvent {
    public static let site: UInt8 = 128
    public static let sensor: UInt8 = 129
    public static let state: UInt8 = 130
    public static let value: UInt8 = 131
    public static let battery: UInt8 = 132
    public static let tamper: UInt8 = 133
    public static let code: UInt8 = 134

    /// Schemes of owners and of subjects of alarms.
    public static let siteScheme = "site", sensorScheme = "sensor"

    /// Stored codes of ``state``.
    public static let low: Int64 = 0, high: Int64 = 1
    /// A measured value is stored in thousandths.
    public static let valueScale: Int64 = 1_000
}

/// Numbers of the columns of `command_result`.
public enum CommandResult {
    public static let site: UInt8 = 128
    public static let door: UInt8 = 129
    public static let command: UInt8 = 130
    public static let result: UInt8 = 131
    public static let detail: UInt8 = 132

    /// What can become of a command at its device; the codes are the places.
    public enum Outcome: Int64, Sendable, CaseIterable {
        /// It was carried out.
        case opened
        /// The device would not: it is locked by hand, or alarmed.
        case refused
        /// It came after its time.
        case expired
        /// It was carried out before.
        case repeated
        /// The device tried, and could not.
        case failed

        public var word: String { "\(self)" }
    }
}

extension Choices {
    static let sensorState = Choices(
        ["LOW", "HIGH"], aliases: ["closed": "LOW", "restored": "LOW", "open": "HIGH", "alarm": "HIGH"])
    static let commandResult = Choices(CommandResult.Outcome.allCases.map(\.word))
}

extension RecordKind {
    /// A sensor of a site is HIGH or LOW, with what it measures.
    public static let sensorEvent = RecordKind(
        id: 64, name: "sensor_event", version: 1,
        fields: Field.identity + [
            Field(SensorEvent.site, "site", .digits, range: Scope.numbers),
            Field(SensorEvent.sensor, "sensor", .digits, range: Scope.numbers),
            Field(
                SensorEvent.state, "state", .choice(.sensorState), range: 0...1,
                meaning: "`HIGH`: it is alarmed; `LOW`: it is at rest"),
            Field(
                SensorEvent.value, "value", .number(scale: SensorEvent.valueScale),
                range: -1_000_000_000_000...1_000_000_000_000, meaning: "what it measures, in its own unit"),
            Field(SensorEvent.battery, "battery_pct", .number(scale: 1), unit: "%", range: 0...100),
            Field(SensorEvent.tamper, "tamper", .flag, range: 0...1, meaning: "somebody is at the sensor itself"),
            Field(
                SensorEvent.code, "code", .text(maximumCharacters: 16),
                meaning: "the event in the language of the panel: `BA`, `1130`"),
        ],
        serverFields: Field.reception, required: [SensorEvent.site, SensorEvent.sensor, SensorEvent.state],
        problems: [.sensorHigh, .sensorLow], keepsOrder: true)

    /// A device says what it made of a command.
    public static let commandResult = RecordKind(
        id: 65, name: "command_result", version: 1,
        fields: Field.identity + [
            Field(CommandResult.site, "site", .digits, range: Scope.numbers),
            Field(CommandResult.door, "door", .digits, range: Scope.numbers),
            Field(CommandResult.command, "command", .text(maximumCharacters: 64), meaning: "the command's name"),
            Field(
                CommandResult.result, "result", .choice(.commandResult),
                range: 0...Int64(CommandResult.Outcome.allCases.count - 1)),
            Field(CommandResult.detail, "detail", .text(maximumCharacters: 200)),
        ],
        serverFields: Field.reception,
        required: [CommandResult.site, CommandResult.door, CommandResult.command, CommandResult.result],
        problems: [.commandAnswered], keepsOrder: true)
}

/// Every record of the programme is urgent. None raises an alarm by itself: what a sensor's state means stands in documents, which
/// the router knows.
extension AlarmProblem {
    static let sensorHigh = AlarmProblem(
        64, rule: "sensor", severity: .major, type: "environmentalAlarm", cause: "thresholdCrossed",
        text: "a sensor is alarmed", french: "un capteur est en alarme", raisesAlone: false,
        when: [ColumnCondition(SensorEvent.state, is: SensorEvent.high)])
    static let sensorLow = AlarmProblem(
        65, rule: "sensor", severity: .warning, type: "environmentalAlarm", cause: "thresholdCrossed",
        text: "a sensor is at rest", french: "un capteur est au repos", raisesAlone: false,
        when: [ColumnCondition(SensorEvent.state, is: SensorEvent.low)])
    static let commandAnswered = AlarmProblem(
        66, rule: "command", severity: .warning, type: "operationalViolation", cause: "equipmentMalfunction",
        text: "a device answers a command", french: "un appareil répond à un ordre", raisesAlone: false,
        when: [ColumnCondition(CommandResult.result, 0...Int64(CommandResult.Outcome.allCases.count - 1))])
}
