import Foundation
import Models
import PipelineTesting
import QoE
import ServiceKit
import SocketTesting
import Testing

/// A programme that nothing else knows goes through all services: one folder, and one line where it is registered.
@Suite(.timeLimit(.minutes(3))) struct RainGaugeTests {
    @Test func `readings are checked, and shown to the tenant of their site and to nobody else`() async throws {
        let world = try await RainGaugeHouse(), gauge = try await world.enrol(),
            secret = try await world.enrol(sharing: false)
        #expect(try await world.send(3.5, seq: 1, by: gauge).text.contains("\"accepted\":1"))
        #expect(try await world.send(1.5, seq: 1, by: secret).text.contains("\"accepted\":1"))
        let wrong = try await world.send(3_000, seq: 2, by: gauge).text
        #expect(wrong.contains("\"out_of_range\"") && wrong.contains("rain_mm"), "\(wrong)")
        let nameless = try await world.call(
            "POST", "/v1/rain", world.device, gauge, #"{"seq":3,"captured_at_ms":1,"rain_mm":1,"gauge":7}"#
        ).text
        #expect(nameless.contains("site is required"), "\(nameless)")
        #expect(try await eventually { try await world.rows(of: world.wet).count == 1 })
        let row = try #require(try await world.rows(of: world.wet).first)
        #expect(
            row["kind"] as? String == "rain" && row["rain_mm"] as? Double == 3.5 && row["battery_pct"] as? Int == 90)
        #expect(row["site"] as? Int == 12 && row["gauge"] as? Int == 7)
        #expect(try await world.rows(of: world.dry).isEmpty)
        #expect(try await world.rows(of: world.network).isEmpty)
        #expect(try await world.rows(of: world.wet, "?kind=rain").count == 1)
        let csv = try await world.call("GET", "/v1/reports.csv", world.operators, world.wet).text
        #expect(csv.split(separator: "\r\n").first?.contains("rain_mm") == true && csv.contains(",3.5,"))
        let document = try await world.call("GET", "/openapi.json", world.device, nil).text
        #expect(document.contains("/v1/rain") && document.contains("sendRain"))
        try await world.house.stop()
    }

    @Test func `a downpour raises an alarm about its gauge, counts devices, and is its site's alone`() async throws {
        let world = try await RainGaugeHouse(), gauges = [try await world.enrol(), try await world.enrol()]
        for gauge in gauges { _ = try await world.send(80, seq: 1, by: gauge) }
        _ = try await world.send(2, seq: 2, gauge: 8, by: gauges[0])
        func alarms(_ token: String) async throws -> [[String: Any]] {
            let answer = try await world.call("GET", "/v1/alarms", world.operators, token)
            let document = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
            return try #require(document?["alarms"] as? [[String: Any]])
        }
        #expect(try await eventually { try await alarms(world.wet).first?["devices"] as? Int == 2 })
        let alarm = try #require(try await alarms(world.wet).first)
        #expect(alarm["specificProblem"] as? String == "it pours" && alarm["rule"] as? String == "urgent.downpour")
        #expect((alarm["alarmedObject"] as? [String: String])?["id"] == "7")
        #expect(try await alarms(world.wet).count == 1)
        #expect(try await alarms(world.dry).isEmpty)
        #expect(try await alarms(world.network).isEmpty)
        try await world.house.stop()
    }

    @Test func `a campaign may pay for readings`() async throws {
        let world = try await RainGaugeHouse()
        _ = try await world.admin(
            .analyticsExporter, "campaign.set", ["id": "rain", "kind": "rain", "amount_xaf": 25, "from_ms": 0])
        await #expect(throws: ControlError.self) {
            _ = try await world.admin(
                .analyticsExporter, "campaign.set", ["id": "x", "kind": "report", "amount_xaf": 25])
        }
        let gauge = try await world.enrol()
        var seq = 0
        // The campaign comes to the dispatcher in its own time.
        #expect(
            try await eventually {
                seq += 1
                _ = try await world.send(1, seq: seq, by: gauge)
                let told = try await world.call("GET", "/v1/me/rewards", world.device, gauge)
                return try JSONValue(bytes: told.body)["balance"]?["paid_xaf"]?.integer == 25
            })
        try await world.house.stop()
    }

    @Test func `a gauge gets a copy of its readings, and is erased`() async throws {
        let world = try await RainGaugeHouse(), gauge = try await world.enrol()
        _ = try await world.send(77.5, seq: 1, by: gauge)
        #expect(try await eventually { try await world.rows(of: world.wet).count == 1 })
        let asked = try await world.call("POST", "/v1/me/data", world.device, gauge, "{}")
        let request = try #require(try JSONValue(bytes: asked.body)["request_id"]?.string)
        #expect(
            try await eventually {
                let copy = try await world.call("GET", "/v1/me/data/\(request)", world.device, gauge).text
                return copy.contains("\"rain_mm\":77.5") && copy.contains("what this gauge measured")
            })
        let erased = try await world.call(
            "POST", "/v1/me/erasures", world.device, gauge, #"{"scope":{"all":true}}"#)
        let erasure = try #require(try JSONValue(bytes: erased.body)["request_id"]?.string)
        #expect(
            try await eventually {
                let told = try await world.call("GET", "/v1/me/erasures/\(erasure)", world.device, gauge).text
                return told.contains("\"completed\"")
            })
        #expect(try await world.rows(of: world.wet).isEmpty)
        try await world.house.stop()
    }
}
