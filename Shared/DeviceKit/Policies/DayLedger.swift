/// What the kit took of the phone in a local day.
public struct DayLedger: Codable, Sendable, Equatable {
    /// Days since 1970-01-01 of the time zone of the prompt policy.
    public var day: Int64
    /// Times the system was woken for the kit.
    public var wakeUps = 0
    public var samples = 0
    /// Looks for a place by satellite, and otherwise.
    public var preciseFixes = 0
    public var coarseFixes = 0
    /// Exchanges with the service.
    public var exchanges = 0
    /// Milliseconds in which the radio was awake for the kit, its tail included.
    public var mobileRadioMilliseconds: Int64 = 0
    public var wifiRadioMilliseconds: Int64 = 0
    public var sentBytes = 0
    public var receivedBytes = 0
    /// Bytes of mobile data in both directions, without tests.
    public var mobileBytes = 0
    public var tests = 0
    public var testBytes = 0
    public var mobileTestBytes = 0
    public var prompts = 0

    public init(day: Int64) { self.day = day }

    /// Seconds in which the radio was awake for the kit.
    public var radioSeconds: Double { Double(mobileRadioMilliseconds + wifiRadioMilliseconds) / 1_000 }
}

/// What a ledger costs of a battery, by a stated model; no phone was measured.
///
/// Source of the radio's figures: Huang et al., "A close examination of performance and power characteristics of 4G LTE networks",
/// MobiSys 2012: an LTE radio takes 1.06 W in its tail of 11.6 s, 1.2 W while it transfers slowly; Wi-Fi 0.24 W in its tail of 0.24 s.
/// The others are round figures of the same order, to be replaced by those of one's own phones.
public struct EnergyModel: Sendable, Equatable {
    /// Joules of a full battery: 4 000 mAh at 3.85 V.
    public var batteryJoules = 55_440.0
    /// Joules of a wake-up: two seconds of the processor.
    public var wakeUpJoules = 0.8
    /// Joules of a fix by satellite (eight seconds, assisted) and of one by networks.
    public var preciseFixJoules = 3.2
    public var coarseFixJoules = 0.4
    /// Watts of an awake radio.
    public var mobileWatts = 1.1
    public var wifiWatts = 0.4
    /// Milliseconds for which the radio stays awake after an exchange.
    public var mobileTailMilliseconds: Int64 = 11_600
    public var wifiTailMilliseconds: Int64 = 240

    public init() {}

    /// Share of a full battery that the ledger stands for, percent.
    public func percent(_ ledger: DayLedger) -> Double {
        let joules =
            Double(ledger.wakeUps) * wakeUpJoules + Double(ledger.preciseFixes) * preciseFixJoules
            + Double(ledger.coarseFixes) * coarseFixJoules
            + Double(ledger.mobileRadioMilliseconds) / 1_000 * mobileWatts
            + Double(ledger.wifiRadioMilliseconds) / 1_000 * wifiWatts
        return joules / batteryJoules * 100
    }
}
