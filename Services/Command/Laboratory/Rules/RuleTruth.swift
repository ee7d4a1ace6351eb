import AlarmRules
import Foundation
import Models
import QoE
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

    /// Of each kind of fault, how many there were and how many were found; and of the alarms of rules that look for the kind,
    /// how many are of such a fault. What lies in a storm is told by its parent and does not count.
    struct Score {
        let kind: String
        let faults, found, alarms, right: Int
        /// From the beginning of a fault to the first alarm of it: by event time, and until it was told. Sorted.
        let raised, told: [UnixMilliseconds]

        var precision: Double? { alarms == 0 ? nil : Double(right) / Double(alarms) }
    }

    func scores(_ alarms: [FoundAlarm]) -> [Score] {
        let told = alarms.filter { $0.parent == nil }
        return Self.kinds.sorted().compactMap { kind -> Score? in
            let own = told.filter { $0.finds == kind }, faults = faults.filter { $0.kind == kind }
            guard !faults.isEmpty || !own.isEmpty else { return nil }
            let found = faults.compactMap { fault in first(of: fault, told).map { (fault, $0) } }
            return Score(
                kind: kind, faults: faults.count, found: found.count, alarms: own.count,
                right: own.count { alarm in faults.contains { Self.isOf(alarm, $0) } },
                raised: found.map { max(0, $1.raisedAt - $0.from_ms) }.sorted(),
                told: found.map { max(0, $1.toldAt - $0.from_ms) }.sorted())
        }
    }

    /// The alarm by which a fault was found: that of a rule that looks for its kind, told first.
    func first(of fault: Fault, _ alarms: [FoundAlarm]) -> FoundAlarm? {
        alarms.filter { $0.finds == fault.kind && $0.parent == nil && Self.isOf($0, fault) }
            .min { $0.toldAt < $1.toldAt }
    }

    /// The fault that an alarm is of, by its place in ``faults``: one of the kind that its rule looks for before any other.
    func fault(of alarm: FoundAlarm) -> Int? {
        let found = faults.indices.filter { Self.isOf(alarm, faults[$0]) }
        return found.first { faults[$0].kind == alarm.finds } ?? found.first
    }

    /// The share of alarms that are of a fault, of whatever kind; nil without alarms.
    func precision(_ alarms: [FoundAlarm]) -> Double? {
        let told = alarms.filter { $0.parent == nil }
        guard !told.isEmpty else { return nil }
        return Double(told.count { fault(of: $0) != nil }) / Double(told.count)
    }

    /// The kind of simulated fault that a rule looks for; nil for rules that look for what no fault of a simulation is.
    static func kind(soughtBy rule: AlarmRule) -> String? {
        switch rule.metric?.name {
        case nil: return "outage"
        case "event"?:
            guard case .codes(let codes) = rule.metric!.bad else { return nil }
            func isBad(_ event: NetworkEvent) -> Bool { codes >> UInt64(event.rawValue) & 1 == 1 }
            return isBad(.noService) ? "outage" : isBad(.slowData) ? "congestion" : nil
        case "latency_ms"?, "jitter_ms"?, "loss_pct"?, "download_kbps"?, "upload_kbps"?, "rating"?: return "congestion"
        default: return nil
        }
    }
}
