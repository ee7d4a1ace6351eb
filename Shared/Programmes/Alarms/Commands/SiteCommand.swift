public import Models

/// What a contact wants a site to do. The exporter has authenticated the contact; the router alone decides.
public struct SiteCommand: Codable, Sendable, Equatable {
    public enum Act: String, Codable, Sendable, CaseIterable {
        /// Opens a door.
        case open
        /// Has a sensor, or all of a site, raise alarms.
        case arm
        /// Has it raise none.
        case disarm
    }

    /// What is to do it.
    public enum Target: String, Codable, Sendable, CaseIterable { case site, sensor, door }

    /// For so long a command lives; what has not been carried out by then never is.
    public static let life: UnixMilliseconds = 10_000

    /// Names the command; the same command told twice is carried out once.
    public var task: String
    public var act: Act
    public var target: Target
    /// The target's number.
    public var id: Int64
    public var tenant: String
    public var contact: String
    /// When the exporter took it.
    public var at: UnixMilliseconds
    /// The digest of the code that was given; nil if none was.
    public var code: String?

    public init(
        task: String, act: Act, target: Target, id: Int64, tenant: String, contact: String, at: UnixMilliseconds,
        code: String? = nil
    ) {
        self.task = task
        self.act = act
        self.target = target
        self.id = id
        self.tenant = tenant
        self.contact = contact
        self.at = at
        self.code = code
    }

    /// When it is too late to carry it out.
    public var expiresAt: UnixMilliseconds { at + Self.life }

    enum CodingKeys: String, CodingKey {
        case task, act, target, id, tenant, contact, code
        case at = "at_ms"
    }
}

/// What became of a command.
public struct SiteTask: Codable, Sendable, Equatable {
    public enum State: String, Codable, Sendable, CaseIterable { case pending, done, failed }

    /// The command that it is about, without the code.
    public var command: SiteCommand
    public var state: State
    /// Why it failed: a word for programs, as `outside_schedule`.
    public var code: String?
    /// The same for people.
    public var reason: String?
    /// What the device said, also if it came too late: `opened`.
    public var result: String?
    /// When it was decided; nil while it is pending.
    public var decidedAt: UnixMilliseconds?

    public init(
        command: SiteCommand, state: State, code: String? = nil, reason: String? = nil, result: String? = nil,
        decidedAt: UnixMilliseconds? = nil
    ) {
        self.command = command
        self.command.code = nil
        self.state = state
        self.code = code
        self.reason = reason
        self.result = result
        self.decidedAt = decidedAt
    }

    enum CodingKeys: String, CodingKey {
        case command, state, code, reason, result
        case decidedAt = "decided_at_ms"
    }
}

/// What a door's device is to do, on its way from the router to ingest.
public struct DoorOrder: Codable, Sendable, Equatable {
    /// The command's task.
    public var task: String
    public var door: Int64
    public var site: Int64
    /// The number of the device that is told.
    public var device: Int64
    /// Nobody tells it any more from then on.
    public var expiresAt: UnixMilliseconds

    public init(task: String, door: Int64, site: Int64, device: Int64, expiresAt: UnixMilliseconds) {
        self.task = task
        self.door = door
        self.site = site
        self.device = device
        self.expiresAt = expiresAt
    }

    enum CodingKeys: String, CodingKey {
        case task, door, site, device
        case expiresAt = "expires_at_ms"
    }
}

/// How a sensor is, as the router last heard.
public struct SensorState: Codable, Sendable, Equatable {
    public enum Arming: String, Codable, Sendable, CaseIterable {
        case armed, disarmed
        /// It will be armed when the exit delay is over.
        case arming
        /// It is HIGH, and raises an alarm unless it is disarmed before the entry delay is over.
        case entry
    }

    public var sensor: Int64
    public var site: Int64
    /// Nil until it has reported.
    public var isHigh: Bool?
    /// In thousandths.
    public var value: Int64?
    public var battery: Int64?
    public var isTampered: Bool
    /// When it noticed that.
    public var eventAt: UnixMilliseconds?
    public var receivedAt: UnixMilliseconds?
    public var arming: Arming
    /// When ``Arming/arming`` or ``Arming/entry`` is over.
    public var dueAt: UnixMilliseconds?

    public init(sensor: Int64, site: Int64) {
        self.sensor = sensor
        self.site = site
        isTampered = false
        arming = .armed
    }

    enum CodingKeys: String, CodingKey {
        case sensor, site, value, arming
        case isHigh = "high"
        case battery = "battery_pct"
        case isTampered = "tamper"
        case eventAt = "event_at_ms"
        case receivedAt = "received_at_ms"
        case dueAt = "due_at_ms"
    }
}

/// A measured value of a sensor, which is stored in thousandths.
public enum SensorValue {
    /// As JSON has it: `61.5`, `-0.25`.
    public static func text(_ thousandths: Int64) -> String {
        let whole = thousandths.magnitude / 1_000, rest = thousandths.magnitude % 1_000
        let sign = thousandths < 0 ? "-" : ""
        guard rest > 0 else { return "\(sign)\(whole)" }
        var digits = String(1_000 + rest).dropFirst()
        while digits.last == "0" { digits = digits.dropLast() }
        return "\(sign)\(whole).\(digits)"
    }
}
