/// How much of the person's data plan the kit may take in a local day.
public struct DataQuota: Codable, Sendable, Equatable {
    /// Bytes of mobile data, in both directions. When they are used up, what is not urgent waits for Wi-Fi or the next day.
    public var mobileBytes: Int
    /// Bytes of mobile data of tests of the connection, counted apart.
    public var mobileTestBytes: Int
    /// Whether anything that is not urgent is sent while roaming. Tests never are.
    public var allowsRoaming: Bool

    public init(mobileBytes: Int = 2_000_000, mobileTestBytes: Int = 5_000_000, allowsRoaming: Bool = false) {
        self.mobileBytes = mobileBytes
        self.mobileTestBytes = mobileTestBytes
        self.allowsRoaming = allowsRoaming
    }

    /// Whether what is not urgent may be sent now.
    func allowsUploads(_ conditions: Conditions, today: DayLedger) -> Bool {
        guard conditions.path == .mobile else { return conditions.path != .none }
        return (allowsRoaming || !conditions.isRoaming) && today.mobileBytes < mobileBytes
    }

    /// Bytes that a test may take now; 0: none.
    func testBytes(_ policy: SamplingPolicy, _ conditions: Conditions, today: DayLedger) -> Int {
        guard !policy.isLow(conditions.battery) else { return 0 }
        switch conditions.path {
        case .none: return 0
        case .wifi, .cable: return policy.testBytes
        case .mobile:
            let left = mobileTestBytes - today.mobileTestBytes
            return conditions.isRoaming || left < policy.mobileTestBytes ? 0 : policy.mobileTestBytes
        }
    }
}
