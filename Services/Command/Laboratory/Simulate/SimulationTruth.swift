import Foundation
import Models

/// What is so in a simulated recording, for those who judge what detectors find in it. By true time.
struct SimulationTruth: Encodable, Sendable {
    struct Area: Encodable, Sendable {
        let latitude, longitude, radius_m: Double
    }

    struct Fault: Encodable, Sendable {
        let kind: String
        let plmn: String?
        let area: Area?
        let from_ms, to_ms: UnixMilliseconds
        let load, drift_ms_per_hour: Double?
        let rating: Int64?
        /// Of a clock or farm.
        var devices: [String]?
    }

    struct Clock: Encodable, Sendable {
        let device: String
        let offset_ms: Int64
    }

    let seed: UInt64
    let devices: Int
    let from_ms, to_ms: UnixMilliseconds
    let towns: [String]
    private(set) var faults: [Fault]
    /// Clocks that are wrong by more than 10 s and do not drift.
    private(set) var wrong_clocks: [Clock] = []
    private(set) var mock_locations: [SimulatedSpan] = []
    /// When mobile data was off: rows of these times have no figures of service.
    var offline: [SimulatedSpan] = []

    init(_ world: SimulatedWorld) {
        seed = world.settings.seed
        devices = world.settings.devices
        (from_ms, to_ms) = (world.settings.start, world.settings.end)
        towns = world.map.towns.map(\.town.name)
        faults = world.faults.map(Self.fault)
    }

    mutating func note(_ device: String, of fault: Int) {
        faults[fault].devices = (faults[fault].devices ?? []) + [device]
    }

    mutating func note(_ phone: SimulatedPhone) {
        if abs(phone.clock.offset) > 10_000 {
            wrong_clocks.append(Clock(device: phone.name, offset_ms: phone.clock.offset))
        }
        if let pretence = phone.pretence { mock_locations.append(pretence.span) }
    }

    /// Indented, keys sorted: the same truth, the same bytes.
    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    private static func fault(_ fault: SimulatedFault) -> Fault {
        Fault(
            kind: fault.kind.rawValue, plmn: fault.plmn?.text,
            area: fault.area.map {
                Area(
                    latitude: Double($0.centre.latitude) / 1e7, longitude: Double($0.centre.longitude) / 1e7,
                    radius_m: $0.radius)
            },
            from_ms: fault.from, to_ms: fault.to, load: fault.kind == .congestion ? fault.load : nil,
            drift_ms_per_hour: fault.kind == .clock ? fault.drift : nil,
            rating: fault.kind == .farm ? fault.rating : nil)
    }
}
