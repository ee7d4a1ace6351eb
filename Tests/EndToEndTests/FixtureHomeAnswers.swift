import Foundation
import PipelineTesting

/// What the services on a fixture home answer, beside what those of its version did.
struct FixtureHomeAnswers {
    let fixture: FixtureHome
    let access: FixtureHome.Access
    let pack: ServicePack

    /// The first answer that is not what it was; nil if all are.
    func firstDifference() throws -> String? {
        if let difference = try rows() ?? alarms() ?? heatmaps() ?? engagement() { return difference }
        if let difference = try phones("consents", "/v1/me/consent") ?? rewards() { return difference }
        if let difference = try impact() ?? policy() ?? erasures() ?? copy() {
            return difference
        }
        return try statistics()
    }

    private var viewers: [(name: String, token: String)] {
        [("regulator", access.regulator), ("art", access.art), ("mtn", access.mtn)]
    }

    private func rows() throws -> String? {
        for (name, token) in viewers {
            let answer = try ask("/v1/reports.csv", token)
            let difference = TableDifference.first(answer, try fixture.text("raw-rows.\(name).csv"))
            if let difference { return "raw rows of \(name), \(difference)" }
        }
        return nil
    }

    /// Alarms are what they were, but for those that are over by now: they were told before alarms had an end.
    private func alarms() throws -> String? {
        for (viewer, token) in [("regulator", access.regulator), ("mtn", access.mtn)] {
            let answer = (try json("/v1/alarms", token) as? [String: Any])?["alarms"] as? [[String: Any]] ?? []
            let over = Self.over(answer)
            let expected = (try fixture.document("alarms.\(viewer)") as? [[String: Any]] ?? []).map { before in
                guard over.contains(before["id"] as? String ?? "") else { return before }
                let end = Self.hourLater(before["alarmChangedTime"] as? String ?? "")
                return before.merging([
                    "state": "cleared", "perceivedSeverity": "cleared", "alarmChangedTime": end,
                    "alarmClearedTime": end,
                ]) { $1 }
            }
            if let difference = DocumentDifference.first(answer, expected) {
                return "alarms of \(viewer), \(difference)"
            }
        }
        return nil
    }

    private static func over(_ alarms: [[String: Any]]) -> Set<String> {
        Set(alarms.filter { $0["state"] as? String == "cleared" }.compactMap { $0["id"] as? String })
    }

    private static func hourLater(_ time: String) -> String {
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        // Half a millisecond more: a time is a fraction, and is written cut.
        return (try? format.parse(time)).map { ($0 + 3_600.0005).formatted(format) } ?? time
    }

    /// What phones helped to raise, likewise.
    private func impact() throws -> String? {
        let answers = try answers("/v1/me/impact")
        let before = try fixture.document("impact") as? [String: [String: Any]] ?? [:]
        let expected = before.reduce(into: [String: Any]()) { found, phone in
            let answer = (answers[phone.key] as? [String: Any])?["alarms"] as? [[String: Any]] ?? []
            let over = Self.over(answer)
            let alarms = (phone.value["alarms"] as? [[String: Any]] ?? []).map { alarm in
                guard over.contains(alarm["id"] as? String ?? "") else { return alarm }
                return alarm.merging(["state": "cleared", "severity": "cleared"]) { $1 }
            }
            let counts = (phone.value["counts"] as? [String: Any] ?? [:]).merging(["cleared": over.count]) { $1 }
            found[phone.key] = phone.value.merging(["alarms": alarms, "counts": counts]) { $1 }
        }
        return DocumentDifference.first(answers, expected).map { "impact \($0)" }
    }

    private func engagement() throws -> String? {
        try compare("engagement") { token in
            try json("/v1/engagement?from=2026-02-15T00:00:00Z&to=2026-03-06T00:00:00Z", token)
        }
    }

    /// The regulator's figures stay what they were in every later build.
    ///
    /// Cells made by 0.1.0 do not say whose rows are shared with operators, so an operator is shown none of them.
    private func heatmaps() throws -> String? {
        guard let names = (try fixture.document("heatmap.regulator") as? [String: Any])?.keys else {
            return "no heat maps"
        }
        for (viewer, token) in [("regulator", access.regulator), ("mtn", access.mtn)] {
            let expected = try fixture.document("heatmap.\(viewer)") as? [String: Any] ?? [:]
            for name in names {
                let isEmpty = fixture.name == "0.1.0" && viewer == "mtn"
                let before = expected[name] as? [[String: Any]] ?? []
                let cells: Any =
                    isEmpty ? [] : fixture.name == "0.1.0" ? before.map { Self.published($0, name) } : before
                if let difference = DocumentDifference.first(try heatmap(name, token), Self.values(cells)) {
                    return "heatmap \(name) of \(viewer), \(difference)"
                }
            }
        }
        return nil
    }

    /// A cell as it is told since 0.1.0: one of fewer than five devices is dominated, and signal is what was measured, rounded
    /// down to 1 dB, not the middle of that dB.
    private static func published(_ cell: [String: Any], _ name: String) -> [String: Any] {
        guard var told = cell["properties"] as? [String: Any] else { return cell }
        let devices = told["devices"] as? Int ?? told["devices_at_least"] as? Int ?? 0
        if told["state"] as? String == "ok", devices < 5 { told["state"] = "dominated" }
        if name.hasPrefix("rsrp_dbm") {
            for figure in ["value", "p10", "p50", "p90"] {
                if let value = told[figure] as? Double { told[figure] = value.rounded(.down) }
            }
        }
        return cell.merging(["properties": told]) { $1 }
    }

    /// The cells of a metric and level, in the order in which the fixture has them.
    private func heatmap(_ name: String, _ token: String) throws -> Any? {
        let words = name.split(separator: " ")
        let path = "/v1/heatmap?metric=\(words[0])&level=\(words[1])&from=1771113600000&to=1772755200000"
        let cells = (try json(path, token) as? [String: Any])?["features"] as? [[String: Any]] ?? []
        return Self.values(cells.sorted { Self.quadkey($0) < Self.quadkey($1) })
    }

    /// What cells say of their values; how sure they are, and of how many devices, is told in another way since 0.1.0.
    private static func values(_ cells: Any) -> Any {
        (cells as? [[String: Any]] ?? []).map { cell in
            let told = cell["properties"] as? [String: Any] ?? [:]
            let kept = told.filter { ["quadkey", "samples", "value", "p10", "p50", "p90"].contains($0.key) }
            return cell.merging(["properties": kept]) { $1 }
        }
    }

    private static func quadkey(_ cell: [String: Any]) -> String {
        (cell["properties"] as? [String: Any])?["quadkey"] as? String ?? ""
    }

    private func compare(_ name: String, _ answer: (_ token: String) throws -> Any?) throws -> String? {
        for (viewer, token) in [("regulator", access.regulator), ("mtn", access.mtn)] {
            let expected = try fixture.document("\(name).\(viewer)")
            if let difference = DocumentDifference.first(try answer(token), expected) {
                return "\(name) of \(viewer), \(difference)"
            }
        }
        return nil
    }

    private func phones(_ name: String, _ path: String) throws -> String? {
        DocumentDifference.first(try answers(path), try fixture.document(name)).map { "\(name) \($0)" }
    }

    /// What every phone is answered, by device.
    private func answers(_ path: String) throws -> [String: Any] {
        try access.devices.mapValues { token in try json(path, token, port: pack.ingestPort) }
    }

    /// Rewards are as they were, or what was pending is paid by now: people are paid by the system's time, whatever the
    /// services' clocks show, and a grant that was held is looked at again after six hours.
    private func rewards() throws -> String? {
        let answers = try answers("/v1/me/rewards"), before = try fixture.document("rewards")
        guard let difference = DocumentDifference.first(answers, before) else { return nil }
        return DocumentDifference.first(answers, Self.paid(before)) == nil ? nil : "rewards \(difference)"
    }

    /// Rewards by device, as they are once everything that was pending has been paid.
    private static func paid(_ document: Any) -> Any {
        guard let phones = document as? [String: [String: Any]] else { return document }
        return phones.mapValues { phone in
            guard var balance = phone["balance"] as? [String: Any], let grants = phone["grants"] as? [[String: Any]],
                let paid = balance["paid_xaf"] as? Int, let pending = balance["pending_xaf"] as? Int
            else { return phone }
            (balance["paid_xaf"], balance["pending_xaf"]) = (paid + pending, 0)
            let settled = grants.map { grant in
                guard grant["state"] as? String == "pending" else { return grant }
                // When it was paid is the test's own time.
                return grant.filter { !["changed_at", "changed_at_ms"].contains($0.key) }
                    .merging(["state": "confirmed"]) { $1 }
            }
            return phone.merging(["balance": balance, "grants": settled]) { $1 }
        }
    }

    private func policy() throws -> String? {
        guard let token = access.devices.values.first else { return "no phone" }
        let answer = try json("/v1/me/prompt-policy", token, port: pack.ingestPort)
        return DocumentDifference.first(answer, try fixture.document("prompt-policy")).map { "prompt policy \($0)" }
    }

    private func erasures() throws -> String? {
        let answer = try json("/v1/erasures", access.regulator) as? [String: Any]
        return DocumentDifference.first(answer?["erasures"], try fixture.document("erasures")).map { "erasures \($0)" }
    }

    private func copy() throws -> String? {
        let text = try pack.answer("nkul", ["admin", "access", "show", access.copy, "--json"])
        let answer = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return DocumentDifference.first(answer, try fixture.document("access-request")).map { "a copy \($0)" }
    }

    private func statistics() throws -> String? {
        let dump = try pack.answer("nkul-batch-aggregator", ["--dump"])
        let expected = DumpMapping.text(try fixture.text("dump-settled.txt"), of: fixture.name)
        return dump == expected ? nil : TextDifference.first(dump, expected)
    }

    private func json(_ path: String, _ token: String, port: Int? = nil) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(try ask(path, token, port: port).utf8), options: .fragmentsAllowed)
    }

    private func ask(_ path: String, _ token: String, port: Int? = nil) throws -> String {
        let answer = try HTTPExchange.send(
            "GET", path, port: port ?? pack.exporterPort, headers: ["Authorization": "Bearer \(token)"])
        guard answer.status == 200 else { throw Refused(status: answer.status, text: answer.text) }
        return answer.text
    }
}
