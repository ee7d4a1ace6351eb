import AlarmRules
import Foundation
import Models
import ServiceKit

/// What was wrong in a simulated recording, and what of it rules found.
struct RuleTruth {
    struct Fault: Decodable {
        struct Area: Decodable { let latitude, longitude, radius_m: Double }

        let kind: String
        let plmn: String?
        let area: Area?
        let from_ms, to_ms: UnixMilliseconds
    }

    private struct Document: Decodable { let faults: [Fault] }

    /// Those that rules are to find: of a network at a place.
    let faults: [Fault]
    private static let kinds: Set<String> = ["outage", "congestion"]
    /// An alarm may still be told of what is just over.
    private static let grace: UnixMilliseconds = 3_600_000

    /// Nil if no truth lies beside the recording.
    ///
    /// - Throws: `ServiceError` if one does that cannot be read.
    init?(besides recording: String) throws {
        let path = SimulationSummary.truth(of: recording)
        guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
        do {
            faults = try JSONDecoder().decode(Document.self, from: bytes).faults.filter { Self.kinds.contains($0.kind) }
        } catch { throw ServiceError(.failed, "\(path) is not what is expected: \(error)") }
    }

    /// Whether an alarm is of a fault: of its network, where it was and while it was.
    static func isOf(_ alarm: FoundAlarm, _ fault: Fault) -> Bool {
        guard fault.plmn.map({ alarm.owner.name == $0 }) ?? true, alarm.raisedAt >= fault.from_ms - 60_000,
            alarm.raisedAt <= fault.to_ms + grace
        else { return false }
        guard let area = fault.area, case .cell(let cell?) = alarm.subject else { return true }
        let bounds = cell.bounds
        let north = max(bounds.south - area.latitude, area.latitude - bounds.north, 0) * 111_320
        let east =
            max(bounds.west - area.longitude, area.longitude - bounds.east, 0) * 111_320
            * cos(area.latitude * .pi / 180)
        return north * north + east * east <= area.radius_m * area.radius_m
    }

    /// Of each kind of fault: how many there were, how many were found, and how long after their beginning the first was told.
    func recall(_ alarms: [FoundAlarm]) -> [(kind: String, faults: Int, found: Int, slowest: UnixMilliseconds?)] {
        Dictionary(grouping: faults, by: \.kind).sorted { $0.key < $1.key }.map { kind, faults in
            let delays = faults.compactMap { fault in
                alarms.filter { Self.isOf($0, fault) }.map { max(0, $0.toldAt - fault.from_ms) }.min()
            }
            return (kind, faults.count, delays.count, delays.max())
        }
    }

    /// The share of alarms that are of a fault; nil without alarms.
    func precision(_ alarms: [FoundAlarm]) -> Double? {
        guard !alarms.isEmpty else { return nil }
        return Double(alarms.count { alarm in faults.contains { Self.isOf(alarm, $0) } }) / Double(alarms.count)
    }
}
