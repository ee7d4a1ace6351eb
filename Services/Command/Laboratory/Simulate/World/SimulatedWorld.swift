import Models
import QoE

/// Everything that is not a phone: map, networks, faults, time. Confined to one thread.
final class SimulatedWorld {
    let settings: SimulationSettings
    let map: SimulatedMap
    let noise: WorldNoise
    let faults: [SimulatedFault]
    private var networks: [RadioNetwork]

    init(_ settings: SimulationSettings, map: SimulatedMap, faults: [SimulatedFault]) {
        self.settings = settings
        self.map = map
        self.faults = faults
        let noise = WorldNoise(seed: settings.seed)
        self.noise = noise
        networks = SimulatedOperator.cameroon.enumerated().map {
            RadioNetwork($1, index: $0, map: map, noise: noise)
        }
    }

    func plmn(_ provider: Int) -> PLMN { networks[provider].provider.plmn }

    /// Index of the outage that an operator's phones have at a place.
    func outage(_ provider: Int, at place: PlanePoint, _ time: UnixMilliseconds) -> Int? {
        faults.firstIndex { $0.kind == .outage && $0.concerns(plmn(provider), at: place, time) }
    }

    /// What a phone hears; nil where there is no coverage or an outage.
    func read(_ provider: Int, at place: PlanePoint, _ time: UnixMilliseconds, loss: Double, best: Technology)
        -> RadioReading?
    {
        guard outage(provider, at: place, time) == nil else { return nil }
        let plmn = plmn(provider)
        let crowds = faults.filter { $0.kind == .congestion && $0.isActive(at: time) }
        return networks[provider].read(at: place, loss: loss, best: best, hour: LocalDay.hour(of: time)) { station in
            crowds.reduce(0) { $1.concerns(plmn, at: station, time) ? max($0, $1.load) : $0 }
        }
    }
}

/// What is asked of a simulation.
struct SimulationSettings: Sendable {
    var devices: Int
    var seed: UInt64
    /// The recording's rows are captured from the first to before the second.
    var start: UnixMilliseconds
    var end: UnixMilliseconds
    /// Minutes between two reports of a phone by day, on average.
    var interval: Double = 10

    /// Name of a phone; those of a farm are numbered on, so that nothing tells them apart.
    static func name(of number: Int) -> String {
        let digits = "\(number + 1)"
        return "phone-" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    }
}
