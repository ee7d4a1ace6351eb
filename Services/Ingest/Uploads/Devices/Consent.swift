internal import Models

/// What a subscriber allowed, per purpose. What is not named is not allowed.
public struct Consent: OptionSet, Sendable, Hashable {
    public let rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Anything at all; without it every upload is refused.
    public static let measurement = Consent(rawValue: 1)
    /// Positions as they are.
    public static let locationPrecise = Consent(rawValue: 2)
    /// Positions as cells of level 13.
    public static let locationCoarse = Consent(rawValue: 4)
    /// Events of calls and of the network; emergencies never ask.
    public static let callEvents = Consent(rawValue: 8)
    public static let rewards = Consent(rawValue: 16)
    public static let operatorSharing = Consent(rawValue: 32)
    public static let research = Consent(rawValue: 64)
    /// To be shown to others under a name of one's own.
    public static let standings = Consent(rawValue: 128)

    /// Each purpose under its name in the device API.
    public static let purposes: [(name: String, purpose: Consent)] = [
        ("measurement", .measurement), ("location_precise", .locationPrecise), ("location_coarse", .locationCoarse),
        ("call_events", .callEvents), ("rewards", .rewards), ("operator_sharing", .operatorSharing),
        ("research", .research), ("standings", .standings),
    ]

    /// All purposes.
    public static let all: Consent = Consent(purposes.map(\.purpose))

    /// Whether a purpose is allowed, by its name; one that is not known is not.
    func allows(_ name: String) -> Bool {
        Self.purposes.contains { $0.name == name && contains($0.purpose) }
    }

    /// What both this and another consent allow. A precise position is also a coarse one.
    func limited(to other: Consent) -> Consent { withCoarse.intersection(other.withCoarse) }

    private var withCoarse: Consent { contains(.locationPrecise) ? union(.locationCoarse) : self }

    /// What rows carry for services that must not use them for everything.
    var flags: RowFlags {
        var flags: RowFlags = []
        if !contains(.operatorSharing) { flags.insert(.notForOperators) }
        if !contains(.research) { flags.insert(.notForResearch) }
        if !contains(.rewards) { flags.insert(.notForRewards) }
        return flags
    }

    /// The purposes that a body allows; names that are not purposes are ignored.
    package init(named allowed: [String: Bool?]) {
        self.init(Self.purposes.filter { allowed[$0.name] == .some(true) }.map(\.purpose))
    }
}
