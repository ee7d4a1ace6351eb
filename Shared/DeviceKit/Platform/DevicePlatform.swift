public import QoE

/// Where the phone is, and whether it moves.
public protocol LocationSource: Sendable {
    /// Looks where the phone is; nil if that is not to be had.
    func place(precise: Bool) async -> PlaceReading?
    /// Without satellites: by the sensor of steps, or by what changed since the last look.
    func motion() async -> Motion
}

/// What the radio sees.
public protocol RadioSource: Sendable {
    /// Every SIM card that the system shows; empty where it shows none.
    func sims() async -> [SIMReading]
    /// By what the phone reaches the internet, and whether that is another network than the SIM card's.
    func path() async -> (path: NetworkPath, isRoaming: Bool)
    /// Measures the connection with at most so many bytes; nil if that failed.
    func test(atMost bytes: Int) async -> SpeedReading?
}

/// The battery.
public protocol BatterySource: Sendable {
    func battery() async -> BatteryReading
}

/// What the kit asks of the person.
public struct Prompt: Sendable, Equatable, Codable {
    /// The answer names it.
    public let id: String
    /// Raw value of the ``PromptRule``.
    let rawRule: Int64

    /// Why the kit asks.
    public var rule: PromptRule { PromptRule(rawValue: rawRule) ?? .emergency }

    init(id: String, rule: PromptRule) {
        self.id = id
        rawRule = rule.rawValue
    }
}

/// What the person sees.
public protocol NotificationScreen: Sendable {
    /// Asks how it was, in at most three taps; what becomes of it is told to the kit.
    func show(_ prompt: Prompt) async
    /// Takes a question back that nobody has answered.
    func withdraw(_ prompt: Prompt) async
    /// The service knows of no consent to measurement: asks the person again.
    func askForConsent() async
}

/// The phone's own key, by which the service knows that a wish comes from this phone and not from somebody who has its token: P-256,
/// made in the platform's key store, which does not give the private half away. Any thread.
public protocol SigningKey: Sendable {
    /// The public half as an uncompressed point of 65 bytes (X9.63), always the same; makes the key if there is none yet. Nil: the
    /// key store has none to give.
    func publicPoint() async -> [UInt8]?
    /// Signs by ECDSA with SHA-256: r and s, 32 bytes each. Nil: it did not happen, for example as the person did not unlock it.
    func sign(_ message: [UInt8]) async -> [UInt8]?
}

/// All that the kit needs of a phone.
public struct DevicePlatform: Sendable {
    public var clock: any DeviceClock
    public var location: any LocationSource
    public var radio: any RadioSource
    public var battery: any BatterySource
    public var screen: any NotificationScreen
    public var transport: any DeviceTransport
    /// Nil: the phone enrols without a key, and signs nothing.
    public var signingKey: (any SigningKey)?

    public init(
        clock: any DeviceClock, location: any LocationSource, radio: any RadioSource, battery: any BatterySource,
        screen: any NotificationScreen, transport: any DeviceTransport, signingKey: (any SigningKey)? = nil
    ) {
        self.clock = clock
        self.location = location
        self.radio = radio
        self.battery = battery
        self.screen = screen
        self.transport = transport
        self.signingKey = signingKey
    }
}
