internal import QoE

/// How often the kit measures: less with a low battery and while the phone lies still, never for a person who saves energy below
/// a level.
///
/// Source of the default intervals: `domain.md` asks for background samples each 5 to 15 minutes, under 3 % of a battery a day.
public struct SamplingPolicy: Codable, Sendable, Equatable {
    /// Milliseconds between two samples.
    public var movingMilliseconds: Int64
    public var stillMilliseconds: Int64
    /// Below this percentage, or while the person saves energy, the interval is `lowFactor` times as long.
    public var lowPercent: Int
    public var lowFactor: Int64
    /// Below this percentage nothing is measured, and only urgent records are sent, unless the phone charges.
    public var leastPercent: Int
    /// Seconds between two tests of the connection; 0: none.
    public var testSeconds: Int64
    /// Most bytes of a test by Wi-Fi or cable, and by mobile data.
    public var testBytes: Int
    public var mobileTestBytes: Int

    public init(
        movingMilliseconds: Int64 = 300_000, stillMilliseconds: Int64 = 900_000, lowPercent: Int = 25,
        lowFactor: Int64 = 2,
        leastPercent: Int = 10, testSeconds: Int64 = 4 * 3_600, testBytes: Int = 10_000_000,
        mobileTestBytes: Int = 500_000
    ) {
        self.movingMilliseconds = movingMilliseconds
        self.stillMilliseconds = stillMilliseconds
        self.lowPercent = lowPercent
        self.lowFactor = lowFactor
        self.leastPercent = leastPercent
        self.testSeconds = testSeconds
        self.testBytes = testBytes
        self.mobileTestBytes = mobileTestBytes
    }

    /// Milliseconds to the next sample; nil: none for now.
    func interval(_ conditions: Conditions) -> Int64? {
        guard !isExhausted(conditions.battery) else { return nil }
        let usual = conditions.motion == .moving ? movingMilliseconds : stillMilliseconds
        return usual * (isLow(conditions.battery) ? lowFactor : 1)
    }

    /// The battery is kept for the person.
    func isExhausted(_ battery: BatteryReading) -> Bool {
        !battery.isCharging && (battery.percent ?? 100) < leastPercent
    }

    func isLow(_ battery: BatteryReading) -> Bool {
        !battery.isCharging && (battery.isSaving || (battery.percent ?? 100) < lowPercent)
    }

    /// As the service wants it, where it wants less.
    func limited(by rules: SamplingRules) -> SamplingPolicy {
        let tests = rules.tests
        return SamplingPolicy(
            movingMilliseconds: max(movingMilliseconds, rules.movingSeconds * 1_000),
            stillMilliseconds: max(stillMilliseconds, rules.stillSeconds * 1_000),
            lowPercent: max(lowPercent, Int(rules.lowBattery.belowPercent)),
            lowFactor: max(lowFactor, rules.lowBattery.factor),
            leastPercent: max(leastPercent, Int(rules.leastBatteryPercent)),
            testSeconds: testSeconds == 0 || tests.everySeconds == 0 ? 0 : max(testSeconds, tests.everySeconds),
            testBytes: min(testBytes, Int(tests.wifiBytes)),
            mobileTestBytes: min(mobileTestBytes, Int(tests.mobileBytes)))
    }
}
