/// How often phones measure, by motion and battery, and what their tests of the connection may take: what
/// `GET /v1/me/sampling-policy` tells. A phone does less where its maker or its person wants less, and never more.
public struct SamplingRules: Codable, Sendable, Equatable {
    /// With a low battery, or while the person saves energy.
    public struct LowBattery: Codable, Sendable, Equatable {
        /// Percent of a full battery under which it is low.
        public var belowPercent: Int64
        /// So many times as long between two samples.
        public var factor: Int64

        public init(belowPercent: Int64, factor: Int64) {
            self.belowPercent = belowPercent
            self.factor = factor
        }

        enum CodingKeys: String, CodingKey {
            case factor
            case belowPercent = "below_percent"
        }
    }

    /// Tests of the connection.
    public struct Tests: Codable, Sendable, Equatable {
        /// Seconds between two; 0: none.
        public var everySeconds: Int64
        /// Most bytes of a test by Wi-Fi or cable, and by mobile data; 0: none there.
        public var wifiBytes: Int64
        public var mobileBytes: Int64

        public init(everySeconds: Int64, wifiBytes: Int64, mobileBytes: Int64) {
            self.everySeconds = everySeconds
            self.wifiBytes = wifiBytes
            self.mobileBytes = mobileBytes
        }

        enum CodingKeys: String, CodingKey {
            case everySeconds = "every_seconds"
            case wifiBytes = "wifi_bytes"
            case mobileBytes = "mobile_bytes"
        }
    }

    /// Names them: `default-1` for the built-in ones.
    public var policyVersion: String
    /// Seconds between two samples while the phone moves, and while it lies still.
    public var movingSeconds: Int64
    public var stillSeconds: Int64
    public var lowBattery: LowBattery
    /// Percent of a full battery under which nothing is measured.
    public var leastBatteryPercent: Int64
    public var tests: Tests

    public init(
        policyVersion: String, movingSeconds: Int64, stillSeconds: Int64, lowBattery: LowBattery,
        leastBatteryPercent: Int64, tests: Tests
    ) {
        self.policyVersion = policyVersion
        self.movingSeconds = movingSeconds
        self.stillSeconds = stillSeconds
        self.lowBattery = lowBattery
        self.leastBatteryPercent = leastBatteryPercent
        self.tests = tests
    }

    enum CodingKeys: String, CodingKey {
        case tests
        case policyVersion = "policy_version"
        case movingSeconds = "moving_seconds"
        case stillSeconds = "still_seconds"
        case lowBattery = "low_battery"
        case leastBatteryPercent = "least_battery_percent"
    }

    /// Those in force where no others are set. Source: background samples each 5 to 15 minutes, under 3 % of a battery a day.
    public static let builtIn = SamplingRules(
        policyVersion: "default-1", movingSeconds: 300, stillSeconds: 900,
        lowBattery: LowBattery(belowPercent: 25, factor: 2), leastBatteryPercent: 10,
        tests: Tests(everySeconds: 14_400, wifiBytes: 10_000_000, mobileBytes: 500_000))

    /// Whole numbers that a member may have, by its path.
    public static let ranges: [(field: String, range: ClosedRange<Int64>)] = [
        ("moving_seconds", 30...86_400), ("still_seconds", 30...86_400), ("low_battery.below_percent", 0...100),
        ("low_battery.factor", 1...100), ("least_battery_percent", 0...100), ("tests.every_seconds", 0...604_800),
        ("tests.wifi_bytes", 0...100_000_000), ("tests.mobile_bytes", 0...100_000_000),
    ]

    /// What is wrong with them, in words that name the member and its range; nil if nothing is.
    public var fault: String? {
        guard (1...64).contains(policyVersion.unicodeScalars.count) else {
            return "policy_version has 1 to 64 characters"
        }
        let values = [
            movingSeconds, stillSeconds, lowBattery.belowPercent, lowBattery.factor, leastBatteryPercent,
            tests.everySeconds, tests.wifiBytes, tests.mobileBytes,
        ]
        for ((field, range), value) in zip(Self.ranges, values) where !range.contains(value) {
            return "\(field) \(value) is not a whole number of \(range.lowerBound)…\(range.upperBound)"
        }
        return nil
    }
}
