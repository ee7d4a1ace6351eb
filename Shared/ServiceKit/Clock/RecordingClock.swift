internal import Foundation
public import Models
internal import Synchronization

/// The clock of a service with `NKUL_CLOCK=recording`: the system's until `nkul replay --clock` says what it shall show.
///
/// It only runs forward, but for the beginning of a replay, which may take it back. What it was told is kept in
/// `<home>/run/clock.json`, so that a service that is started in the middle of a replay shows the same time as the others; but
/// one that finds a clock that stands lets it run, for the replay that held it may be dead. Any thread.
public final class RecordingClock: Sendable {
    private struct State {
        var time: RecordingTime?
        var latest: UnixMilliseconds
    }

    /// Writes the file. Locked meanwhile, so that the last of several times at once is the last in the file too; who looks at
    /// the clock does not wait for the disk.
    private let keep: Mutex<@Sendable (RecordingTime) throws -> Void>
    private let system: WallClock
    private let state: Mutex<State>

    /// - Throws: ``ServiceError`` naming the file if there is one that cannot be read.
    public convenience init(in home: Home, system: WallClock = .system) throws {
        try self.init(in: home, system: system) { try Self.keep($0, in: home) }
    }

    /// - Parameter keep: writes the file.
    init(in home: Home, system: WallClock, keep: @escaping @Sendable (RecordingTime) throws -> Void) throws {
        self.keep = Mutex(keep)
        self.system = system
        state = Mutex(State(time: try Self.kept(home.clockFile), latest: .min))
    }

    /// What it shows, in Unix milliseconds.
    public func now() -> UnixMilliseconds {
        state.withLock { state in
            let system = system.now()
            state.latest = max(state.latest, state.time?.reading(at: system) ?? system)
            return state.latest
        }
    }

    /// How long it really takes until it shows `time`; a day if that cannot be said, as it stands.
    public func pause(until time: UnixMilliseconds) -> Duration {
        let system = system.now()
        return current(at: system).pause(until: time, at: system) ?? .seconds(86_400)
    }

    /// How fast it runs at present, beside the system's.
    public var speed: Double {
        let system = system.now()
        return current(at: system).pace(at: system)
    }

    /// Makes it run anew from the time that is given.
    ///
    /// - Parameter isBeginning: it may go back, as a replay begins; else it waits where it is until the time has come.
    /// - Throws: ``ServiceError`` if the file cannot be written.
    public func set(_ time: RecordingTime, isBeginning: Bool) throws {
        try keep.withLock { keep in
            try keep(time)
            state.withLock { state in
                state.time = time
                if isBeginning { state.latest = .min }
            }
        }
    }

    /// Leaves the time for the services of a home that start later.
    ///
    /// - Throws: ``ServiceError`` if the file cannot be written.
    public static func keep(_ time: RecordingTime, in home: Home) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try SmallFile.replace(home.clockFile, with: String(decoding: try encoder.encode(time), as: UTF8.self) + "\n")
    }

    private func current(at system: UnixMilliseconds) -> RecordingTime {
        state.withLock { $0.time } ?? .system(at: system)
    }

    private static func kept(_ file: String) throws -> RecordingTime? {
        guard FileManager.default.fileExists(atPath: file) else { return nil }
        let text = try SmallFile.read(file)
        do {
            var time = try JSONDecoder().decode(RecordingTime.self, from: Data(text.utf8))
            if time.speed == 0 { time.speed = 1 }
            return time
        } catch {
            throw ServiceError(.home, "\(file) is damaged; remove it: \(error)")
        }
    }
}

/// How a service's clock is: in `/healthz`, and the answer to the control calls `clock.show` and `clock.set`.
public struct ClockState: Codable, Sendable, Equatable {
    public let mode: ClockMode
    public let now: UnixMilliseconds
    /// Milliseconds of it in one of the system.
    public let speed: Double

    enum CodingKeys: String, CodingKey {
        case mode = "clock"
        case now = "now_ms"
        case speed
    }

    public init(_ clock: WallClock) {
        (mode, now, speed) = (clock.mode, clock.now(), clock.speed)
    }
}
