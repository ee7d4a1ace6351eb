import Models
import NkulDevice

/// How a phone stands, for people and programs.
struct PhoneSummary: Encodable {
    struct Day: Encodable {
        let wake_ups, samples, precise_fixes, exchanges, sent_bytes, received_bytes, mobile_bytes: Int
        let test_bytes, prompts: Int
        let radio_seconds: Double
        /// By the stated model (`EnergyModel`); nothing was measured.
        let battery_percent: Double
    }

    let device_id: String?
    let made, accepted, duplicates: Int64
    let unsent: Int
    /// What was neither accepted nor a duplicate, by why.
    let not_taken: [String: Int64]
    let uploads: Int64
    /// The last eight days, by date (UTC + 1).
    let days: [String: Day]
    let interrupted: Bool

    init(_ standing: DeviceStanding, interrupted: Bool) {
        let counters = standing.counters
        device_id = standing.deviceID
        made = counters["made"] ?? 0
        accepted = counters["accepted"] ?? 0
        duplicates = counters["duplicates"] ?? 0
        uploads = counters["uploads"] ?? 0
        unsent = standing.unsent
        let known = ["made", "accepted", "duplicates", "uploads", "seq", "renumbered"]
        not_taken = counters.filter { !known.contains($0.key) }
        let model = EnergyModel()
        days = standing.days.reduce(into: [:]) { days, ledger in
            days[CivilDay.text(ledger.day)] = Day(
                wake_ups: ledger.wakeUps, samples: ledger.samples, precise_fixes: ledger.preciseFixes,
                exchanges: ledger.exchanges, sent_bytes: ledger.sentBytes, received_bytes: ledger.receivedBytes,
                mobile_bytes: ledger.mobileBytes, test_bytes: ledger.testBytes, prompts: ledger.prompts,
                radio_seconds: (ledger.radioSeconds * 10).rounded() / 10,
                battery_percent: (model.percent(ledger) * 1_000).rounded() / 1_000)
        }
        self.interrupted = interrupted
    }

    /// One line.
    var json: String { (try? SortedJSON.text(of: self)) ?? "{}" }

    /// How far it is, in one line.
    var line: String {
        let lost = not_taken.values.reduce(0, +)
        return "\(made) made, \(accepted + duplicates) with the service, \(unsent) unsent"
            + (lost > 0 ? ", \(lost) not taken" : "")
    }

    /// - Parameter battery: with what the days took.
    func text(battery: Bool) -> String {
        var lines = [
            "\(device_id.map { "device \($0): " } ?? "not enrolled: ")\(line); \(uploads) uploads"
        ]
        lines += not_taken.sorted { $0.key < $1.key }.map { "  not taken: \($0.value) × \($0.key)" }
        if battery {
            lines += days.sorted { $0.key < $1.key }.map { date, day in
                "  \(date): \(day.wake_ups) wake-ups, \(day.samples) samples, \(day.radio_seconds) s of radio, "
                    + "\(day.sent_bytes + day.received_bytes) bytes, \(day.battery_percent) % of a battery (model)"
            }
        }
        if interrupted { lines.append("interrupted; run it again to go on from there") }
        return lines.joined(separator: "\n")
    }
}
