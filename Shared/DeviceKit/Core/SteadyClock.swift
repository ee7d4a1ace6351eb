internal import Models

/// Time that goes on evenly when somebody sets the wall clock, so that records keep their distance from each other and from now.
///
/// Steady time is the wall clock less `shift`. While the phone runs, a jump of the wall clock against its uptime goes into `shift`. How long
/// a phone was off nobody knows: across a start the wall clock is believed, but steady time never goes back.
struct SteadyClock: Codable, Sendable, Equatable {
    private(set) var shift: Int64 = 0
    private var boot = ""
    private var wall: UnixMilliseconds = 0
    private var uptime: Int64 = 0
    private(set) var last: Int64 = .min

    /// Less is how clocks are kept right; more is somebody setting it.
    static let jump: Int64 = 2_000

    /// Steady time of a reading; readings come in their order.
    mutating func read(_ now: ClockReading) -> Int64 {
        if now.boot == boot {
            let jumped = (now.wall - wall) - (now.uptime - uptime)
            if jumped.magnitude > Self.jump { shift += jumped }
        }
        if now.wall - shift < last { shift = now.wall - last }
        (boot, wall, uptime) = (now.boot, now.wall, now.uptime)
        last = now.wall - shift
        return last
    }
}
