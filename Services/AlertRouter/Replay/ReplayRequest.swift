/// What a subscriber may ask a replay endpoint.
enum ReplayRequest: Equatable, Sendable {
    /// The last message of every alarm.
    case snapshot(prefix: [UInt8])
    /// Every message after a number.
    case replay(after: Int64, prefix: [UInt8])

    /// A topic longer than this does not exist.
    static let longestPrefix = 256

    /// Reads `["SNAPSHOT", prefix]` or `["REPLAY", after-seq, prefix]`; nil for anything else.
    init?(_ frames: ArraySlice<[UInt8]>) {
        guard let verb = frames.first, let prefix = frames.last, prefix.count <= Self.longestPrefix else { return nil }
        switch (String(decoding: verb, as: UTF8.self), frames.count) {
        case ("SNAPSHOT", 2): self = .snapshot(prefix: prefix)
        case ("REPLAY", 3):
            let digits = String(decoding: frames[frames.startIndex + 1], as: UTF8.self)
            guard let after = Int64(digits), after >= 0 else { return nil }
            self = .replay(after: after, prefix: prefix)
        default: return nil
        }
    }

    var prefix: [UInt8] {
        switch self {
        case .snapshot(let prefix), .replay(_, let prefix): prefix
        }
    }
}
