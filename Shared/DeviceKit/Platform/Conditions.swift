/// By what the phone reaches the internet.
public enum NetworkPath: String, Codable, Sendable, Equatable {
    case none, mobile, wifi, cable
}

/// Whether the phone moves.
public enum Motion: String, Codable, Sendable, Equatable {
    case unknown, still, moving
}

/// How full the battery is.
public struct BatteryReading: Codable, Sendable, Equatable {
    /// 0…100; nil where the system does not tell.
    public var percent: Int?
    public var isCharging: Bool
    /// The person has asked the system to save energy.
    public var isSaving: Bool

    public init(percent: Int?, isCharging: Bool = false, isSaving: Bool = false) {
        self.percent = percent
        self.isCharging = isCharging
        self.isSaving = isSaving
    }
}

/// How the phone stands when the kit is woken: cheap to find out, without radio or satellites.
public struct Conditions: Codable, Sendable, Equatable {
    public var path: NetworkPath
    /// The mobile data are another network's than the SIM card's.
    public var isRoaming: Bool
    public var battery: BatteryReading
    public var motion: Motion

    public init(
        path: NetworkPath, isRoaming: Bool = false, battery: BatteryReading = BatteryReading(percent: nil),
        motion: Motion = .unknown
    ) {
        self.path = path
        self.isRoaming = isRoaming
        self.battery = battery
        self.motion = motion
    }
}
