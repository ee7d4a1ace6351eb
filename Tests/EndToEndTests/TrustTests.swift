import Foundation
import PipelineTesting
import Testing

/// A phone with an activation code beside one without, and services that ask for trust.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct TrustTests {
    @Test func `where trust is asked for, a phone with a code raises alarms and is paid, and a new one is not`() throws
    {
        let pack = try ServicePack(["NKUL_ALERT_ROUTER_TRUST": "trusted", "NKUL_REWARD_DISPATCHER_TRUST": "aged"])
        try pack.start()
        let added = try pack.answer(
            "nkul", ["admin", "device", "codes", "add", "--count", "1", "--expires-in", "1", "--json"])
        let code = try #require((Self.json(added)["codes"] as? [String])?.first)
        let stranger = try EnrolledPhone.enrolled(port: pack.ingestPort)
        let known = try EnrolledPhone.enrolled(port: pack.ingestPort, code: code)
        for (phone, network) in [(stranger, 1), (known, 2)] {
            for record in Self.records(network) {
                #expect(try phone.send([record], key: nil, port: pack.ingestPort) == ["accepted"])
            }
        }

        try Self.expect("nkul_alert_skipped_rows_total{reason=\"untrusted\"} 1", of: "nkul-alert-router", pack)
        try Self.expect("nkul_reward_refusals_total{reason=\"untrusted\"} 1", of: "nkul-reward-dispatcher", pack)
        try Self.expect("nkul_reward_grants_total 1", of: "nkul-reward-dispatcher", pack)
        var alarms = ""
        let isTold = try becomesTrue(within: 120) {
            alarms = try Self.alarms(pack)
            return alarms.contains("62402")
        }
        #expect(isTold && !alarms.contains("62401"), "\(alarms)")

        // Both are among the raw rows, which say what was known of their devices.
        #expect(try becomesTrue(within: 120) { try RawRowsPage.read(pack).count == 4 })
        let rows = try RawRowsPage.read(pack).values.flatMap(\.self)
        let flags = Dictionary(grouping: rows) { ($0["mnc"] as? NSNumber)?.intValue ?? 0 }
            .mapValues { Set($0.map { ($0["flags"] as? NSNumber)?.intValue ?? 0 }) }
        #expect(flags == [1: [96], 2: [64]])
        let shown = Self.json(try pack.answer("nkul", ["admin", "device", "show", known.device, "--json"]))
        #expect(shown["trust"] as? Int == 1 && shown["days_seen"] as? Int == 1)
        #expect(shown["activation_batch"] as? Int == 1)
        #expect(try pack.answer("nkul", ["admin", "device", "show", "1"]).contains("\ntrust:           0\n"))
    }

    /// An emergency and a feedback that is not urgent.
    private static func records(_ network: Int) -> [ReferenceRecord] {
        let place: [String: ReferenceRecord.Value] = [
            "captured_at_ms": .number(Date().timeIntervalSince1970.rounded(.down) * 1000), "latitude": .number(4.05),
            "longitude": .number(9.7), "mcc": .number(624), "mnc": .number(Double(network)),
        ]
        return [
            ReferenceRecord(
                kind: "report", fields: place.merging(["seq": .number(1), "event": .text("emergency")]) { $1 }),
            ReferenceRecord(kind: "feedback", fields: place.merging(["seq": .number(2), "rating": .number(4)]) { $1 }),
        ]
    }

    private static func expect(_ line: String, of name: String, _ pack: ServicePack) throws {
        var text = ""
        let isShown = try becomesTrue(within: 120) {
            text = try HTTPExchange.send("GET", "/metrics", port: pack.adminPorts[name]!).text
            return text.contains("\n\(line)\n")
        }
        #expect(
            isShown, "\(name) does not say \(line): \(text.split(separator: "\n").filter { $0.contains("_reward_") })")
    }

    private static func alarms(_ pack: ServicePack) throws -> String {
        let headers = ["Authorization": "Bearer \(try RawRowsPage.regulatorToken(pack))"]
        return try HTTPExchange.send("GET", "/v1/alarms", port: pack.exporterPort, headers: headers).text
    }

    private static func json(_ text: String) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]) ?? [:]
    }
}
