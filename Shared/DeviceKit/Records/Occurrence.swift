public import QoE

/// Something that the system told of: a dropped call, an outage that is over, an emergency.
public struct Occurrence: Sendable, Equatable {
    public var event: NetworkEvent
    /// Of the outage that is over, for ``NetworkEvent/noService``.
    public var seconds: Int64
    /// The card that it happened to.
    public var sim: SIMReading?
    public var place: PlaceReading?

    public init(_ event: NetworkEvent, seconds: Int64 = 0, sim: SIMReading? = nil, place: PlaceReading? = nil) {
        self.event = event
        self.seconds = seconds
        self.sim = sim
        self.place = place
    }
}

/// What a person said of the network.
public struct Rating: Sendable, Equatable {
    /// 1…5.
    public var stars: Int
    /// At most 50 characters; longer ones are cut.
    public var comment: String?
    /// The prompt that it answers.
    public var promptID: String?
    public var isEmergency: Bool
    public var sim: SIMReading?
    public var place: PlaceReading?

    public init(
        stars: Int, comment: String? = nil, promptID: String? = nil, isEmergency: Bool = false, sim: SIMReading? = nil,
        place: PlaceReading? = nil
    ) {
        self.stars = min(5, max(1, stars))
        self.comment = comment.map { String($0.prefix(50)) }
        self.promptID = promptID
        self.isEmergency = isEmergency
        self.sim = sim
        self.place = place
    }
}
