internal import Alarms
internal import Models

/// What a sensor has reported.
struct SensorReading: Sendable, Equatable {
    var isHigh: Bool
    /// In thousandths.
    var value: Int64?
    var battery: Int64?
    var isTampered: Bool
    var eventAt: UnixMilliseconds
    var receivedAt: UnixMilliseconds
}

/// Decides what becomes of a sensor, and of its alarms. Pure: the same events in the same order give the same state.
///
///     disarmed ──arm──▶ arming ──exit delay──▶ armed ──HIGH──▶ entry ──entry delay──▶ armed, alarm
///         ▲                │                     │               │                       LOW ends the alarm
///         └────────────────┴─────── disarm ──────┴───────────────┘
///
/// While it is disarmed or arming it raises nothing, and its state is kept all the same. The entry delay begins when it becomes HIGH, or
/// is armed while it is HIGH; a sensor that says again that it is HIGH has its alarm at once.
struct SensorCore {
    enum Action: Equatable {
        /// There is an alarm from now on; if there is one already, its figures change.
        case raise(SensorAlarm)
        case clear(SensorAlarm)
    }

    private(set) var state: SensorState
    private let document: SensorDocument

    init(_ state: SensorState, _ document: SensorDocument) {
        self.state = state
        self.document = document
        if document.isAlways { (self.state.arming, self.state.dueAt) = (.armed, nil) }
    }

    /// Takes in what the sensor has noticed; nil if it noticed it before what is known already.
    mutating func take(_ reading: SensorReading, now: UnixMilliseconds) -> [Action]? {
        if let known = state.eventAt, reading.eventAt < known { return nil }
        let wasHigh = state.isHigh == true
        (state.isHigh, state.isTampered) = (reading.isHigh, reading.isTampered)
        (state.value, state.battery) = (reading.value ?? state.value, reading.battery ?? state.battery)
        (state.eventAt, state.receivedAt) = (reading.eventAt, reading.receivedAt)
        // Whoever is at the sensor itself is told of whether it is armed or not.
        return [reading.isTampered ? .raise(.tamper) : .clear(.tamper)]
            + (reading.isHigh ? high(now, isNew: !wasHigh) : [.clear(.high)])
    }

    /// Arms it.
    ///
    /// - Parameter exitDelay: seconds for people to leave.
    mutating func arm(exitDelay: Int, now: UnixMilliseconds) -> [Action] {
        guard state.arming == .disarmed else { return [] }
        guard exitDelay > 0 else { return arm(now) }
        (state.arming, state.dueAt) = (.arming, now + Int64(exitDelay) * 1_000)
        return []
    }

    /// Has it raise nothing; an alarm that there is stays until the sensor is LOW, or somebody ends it.
    mutating func disarm() { (state.arming, state.dueAt) = (.disarmed, nil) }

    /// Time has passed.
    mutating func tick(now: UnixMilliseconds) -> [Action] {
        guard let due = state.dueAt, due <= now else { return [] }
        let was = state.arming
        if was == .arming { return arm(now) }
        (state.arming, state.dueAt) = (.armed, nil)
        return was == .entry ? [.raise(.high)] : []
    }

    private mutating func arm(_ now: UnixMilliseconds) -> [Action] {
        (state.arming, state.dueAt) = (.armed, nil)
        return state.isHigh == true ? high(now, isNew: true) : []
    }

    private mutating func high(_ now: UnixMilliseconds, isNew: Bool) -> [Action] {
        guard state.arming == .armed else { return [] }
        guard isNew, document.entryDelay > 0 else { return [.raise(.high)] }
        (state.arming, state.dueAt) = (.entry, now + Int64(document.entryDelay) * 1_000)
        return []
    }
}

/// What a sensor can raise an alarm of.
enum SensorAlarm: String, CaseIterable {
    case high = "sensor"
    case tamper = "sensor.tamper"

    /// Name of the rule in keys of alarms.
    var rule: String { rawValue }

    func problem(_ sensor: SensorDocument) -> AlarmProblem {
        switch self {
        case .high:
            AlarmProblem(
                AlarmProblem.found, rule: rule, severity: sensor.severity, type: sensor.type,
                cause: "thresholdCrossed", text: "\(sensor.name): alarm", french: "\(sensor.name) : alarme", when: [])
        case .tamper:
            AlarmProblem(
                AlarmProblem.found, rule: rule, severity: .major, type: "physicalViolation", cause: "enclosureDoorOpen",
                text: "\(sensor.name): tampered with", french: "\(sensor.name) : sabotage", when: [])
        }
    }
}
