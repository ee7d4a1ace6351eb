import Foundation
import Models
import PipelineTesting
import QoE
import ServiceKit
import SocketTesting
import Testing
import Wire

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

    @Test func `readings of both lanes fill cells, which their site sees and the regulator`() async throws {
        let world = try await RainGaugeHouse(), gauges = [try await world.enrol(), try await world.enrol()],
            secret = try await world.enrol(sharing: false)
        _ = try await world.send(3, seq: 1, by: gauges[0])
        _ = try await world.send(80, seq: 1, by: gauges[1])
        _ = try await world.send(5, seq: 1, by: secret)
        #expect(
            try await eventually {
                try await world.cells(of: world.regulator).first?["samples"] as? Int == 3
            })
        let cells = try await world.cells(of: world.wet)
        let cell = try #require(cells.first)
        #expect(cells.count == 1 && cell["samples"] as? Int == 2 && cell["devices"] as? Int == 2)
        #expect(cell["p50"] as? Double == 3 && (cell["quadkey"] as? String)?.count == 20, "\(cell)")
        #expect(try await world.cells(of: world.wet, "programme=rain-gauge&scope=site:12").count == 1)
        #expect(try await world.cells(of: world.dry).isEmpty)
        #expect(try await world.cells(of: world.network).isEmpty)
        #expect(try await world.cells(of: world.regulator, "metric=download_kbps").isEmpty)
        let foreign = try await world.call(
            "GET", "/v1/heatmap?programme=rain-gauge&scope=site:12", world.operators, world.dry)
        #expect(foreign.status == 403 && foreign.text.contains("site:12 is not yours"), "\(foreign.text)")
        for (query, fault) in [
            ("programme=rain-gauge&plmn=62401", "scope=site:"), ("programme=snow", "expected one of qoe, rain-gauge"),
            ("programme=rain-gauge&metric=download_kbps", "expected one of rain_mm"), ("scope=site:12", "plmn:"),
            ("programme=rain-gauge&technology=4G", "have no strata"), ("level=17", "6…16"),
            ("technology=4G&stratum=2G", "given together with technology"),
            ("plmn=62401&scope=plmn:62401", "given together with plmn"),
        ] {
            let refused = try await world.call("GET", "/v1/heatmap?\(query)", world.operators, world.regulator)
            #expect(refused.status == 400 && refused.text.contains(fault), "\(query): \(refused.text)")
        }
        try await world.house.stop()
    }

    @Test func `an hour is exported to its site alone, and everything expires`() async throws {
        let world = try await RainGaugeHouse(), gauge = try await world.enrol()
        // Who asks has exports made from then on.
        for token in [world.wet, world.dry] { _ = try await world.call("GET", "/v1/exports", world.operators, token) }
        _ = try await world.send(4.5, seq: 1, by: gauge)
        #expect(try await eventually { try await world.rows(of: world.wet).count == 1 })
        world.wait(hours: 2)
        func exports(_ token: String) async throws -> [[String: Any]] {
            let answer = try await world.call("GET", "/v1/exports?period=hour", world.operators, token)
            let document = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
            return try #require(document?["files"] as? [[String: Any]], "\(answer.text)")
        }
        #expect(try await eventually { try await exports(world.wet).contains { $0["rows"] as? Int == 1 } })
        let name = try #require(try await exports(world.wet).first { $0["rows"] as? Int == 1 }?["name"] as? String)
        let file = try await world.call("GET", "/v1/exports/\(name)", world.operators, world.wet)
        var text: [UInt8] = [], inflater = BodyInflater(limit: 1 << 20)
        let length = try file.body.withUnsafeBytes { try inflater.inflate($0, into: &text, padding: 0) }
        #expect(file.status == 200 && String(decoding: text[..<length], as: UTF8.self).contains(",4.5,"))
        let others = try await exports(world.dry)
        #expect(!others.contains { $0["rows"] as? Int ?? 0 > 0 })
        let day = "from=\(world.now - 86_400_000)&to=\(world.now)"
        #expect(try await world.cells(of: world.wet, "programme=rain-gauge&level=20&\(day)").count == 1)
        world.wait(hours: 40 * 24)
        // The daily order finds them. Until the day of the row is gone, files of later hours may be made, without rows.
        #expect(
            try await eventually(within: 90) {
                let rows = try await world.rows(of: world.wet), files = try await exports(world.wet)
                let cells = try await world.cells(of: world.wet, "programme=rain-gauge&level=20&\(day)")
                return rows.isEmpty && cells.isEmpty && files.allSatisfy { $0["rows"] as? Int == 0 }
            })
        #expect(try await world.call("GET", "/v1/exports/\(name)", world.operators, world.wet).status == 404)
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
