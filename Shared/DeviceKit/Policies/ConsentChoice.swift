/// What the person allows.
public struct ConsentChoice: Codable, Sendable, Equatable {
    /// Names of the purposes that are allowed, as in the device API: `measurement`, `location_precise`, …
    public var purposes: Set<String>
    /// Of the policy that the person was shown.
    public var policyVersion: String
    /// `under_16`, `16-17` or `18+`; nil: not said.
    public var ageBand: String?
    /// A guardian agreed.
    public var hasGuardian: Bool

    public init(purposes: Set<String>, policyVersion: String, ageBand: String? = nil, hasGuardian: Bool = false) {
        self.purposes = purposes
        self.policyVersion = policyVersion
        self.ageBand = ageBand
        self.hasGuardian = hasGuardian
    }

    /// Every purpose of the device API, in its order.
    public static let everyPurpose = [
        "measurement", "location_precise", "location_coarse", "call_events", "rewards", "operator_sharing", "research",
        "standings",
    ]

    func allows(_ purpose: String) -> Bool { purposes.contains(purpose) }
    var allowsMeasurement: Bool { allows("measurement") }
    /// How exactly the kit may look for a place; nil: not at all.
    var isPlacePrecise: Bool? { allows("location_precise") ? true : allows("location_coarse") ? false : nil }
}
