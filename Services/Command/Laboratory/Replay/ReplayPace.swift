/// When uploads are due: the recording's own pace times a factor, or as fast as they are taken.
struct ReplayPace: Sendable {
    /// nil: as fast as they are taken.
    let speed: Double?
    private var start: (time: Int64, instant: ContinuousClock.Instant)?

    init(speed: Double?) { self.speed = speed }

    /// Whether a moment was asked for in this round.
    var hasBegun: Bool { start != nil }

    /// The moment at which something of a time of the recording is due. The first one asked for is due now.
    mutating func instant(of time: Int64) -> ContinuousClock.Instant {
        guard let speed else { return .now }
        let start = start ?? (time, .now)
        self.start = start
        return start.instant + .milliseconds(Double(time - start.time) / speed)
    }

    /// What is next is a new round: its first upload is due now.
    mutating func restart() { start = nil }
}
