import Models
import Storage

/// What all parts of one run share: time, chance, weather, lanes, and the model that is told of every commit.
///
/// Confined to one thread.
final class Simulation {
    let clock: VirtualClock
    let timeline: Timeline
    var random: SeededRandom
    var weather: Weather
    let isCalmFromTheStart: Bool
    let sealer: BlockSealer?
    var model = ReferenceModel()
    private(set) var lanes: [LaneName: SimulatedLane] = [:]

    /// - Parameter start: begin of the run, Unix milliseconds.
    init(seed: UInt64, start: Int64) {
        var random = SeededRandom(seed: seed)
        clock = VirtualClock(start: start)
        timeline = Timeline(clock: clock)
        weather = Weather(&random)
        isCalmFromTheStart = weather.isCalm
        sealer = weather.isSealed ? BlockSealer(key: (0..<32).map { UInt8($0) }) : nil
        self.random = random
        for lane in [LaneName.realtime, .batch, .requests, .alerts, .rollups] {
            lanes[lane] = SimulatedLane(lane, in: self)
        }
    }

    /// A delay on the way, or of a thread, in milliseconds.
    func pause() -> Int {
        random.below(weather.longestDelay + 1)
    }
}
