import Foundation
import Models
import QoE
import ServiceKit

/// What a simulation wrote, for people and programs.
struct SimulationSummary: Encodable {
    let recording: String
    let truth: String
    let devices: Int
    let faults: Int
    let from_ms, to_ms: UnixMilliseconds
    private(set) var rows = 0
    private(set) var reports = 0
    private(set) var feedback = 0
    private(set) var urgent = 0
    private(set) var events: [String: Int] = [:]
    private(set) var operators: [String: Int] = [:]
    /// Rows left out because a wrong clock put them outside the recording.
    var cut = 0
    /// Rows that phones still had at the end, without a way to send them: left out.
    var unsent = 0

    init(recording: String, _ world: SimulatedWorld) {
        self.recording = recording
        truth = Self.truth(of: recording)
        let farmed = world.faults.filter { $0.kind == .farm }.reduce(0) { $0 + $1.devices }
        devices = world.settings.devices + farmed
        faults = world.faults.count
        (from_ms, to_ms) = (world.settings.start, world.settings.end)
    }

    /// The file beside a recording that says what was wrong where and when.
    static func truth(of recording: String) -> String { "\(recording).truth.json" }

    mutating func count(_ row: RecordingRow) {
        rows += 1
        if row.kind == .report { reports += 1 } else { feedback += 1 }
        if row.isUrgent { urgent += 1 }
        if let event = row.values[ColumnID.event].flatMap(NetworkEvent.init) { events[event.name, default: 0] += 1 }
        operators[PLMN(mcc: row.values[ColumnID.mcc], mnc: row.values[ColumnID.mnc]).text, default: 0] += 1
    }

    /// One line.
    var json: String {
        (try? SortedJSON.text(of: self)) ?? "{}"
    }

    var text: String {
        let list = { (counts: [String: Int]) in
            counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) × \($0.key)" }
                .joined(separator: ", ")
        }
        return """
            \(recording): \(rows) rows of \(devices) devices: \(reports) reports, \(feedback) feedback; \(urgent) urgent
            operators: \(list(operators))
            events: \(events.isEmpty ? "none" : list(events))
            left out, as a wrong clock puts them outside the recording: \(cut)
            left out, as phones could not send them before the end: \(unsent)
            ground truth of \(faults) faults: \(truth)
            """
    }
}
