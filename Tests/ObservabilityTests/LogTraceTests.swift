import Foundation
import PipelineTesting
import ServiceKit
import SocketTesting
import Testing

/// From a receipt to the alarm, by nothing but the logs of running services.
@Suite(.timeLimit(.minutes(2))) struct LogTraceTests {
    @Test(arguments: LogFormat.allCases)
    func `a batch_id leads through the logs to the alarms its rows count in, and to no others`(
        format: LogFormat
    ) async throws {
        let house = try House([.ingest, .alertRouter], settings: ["NKUL_LOG_FORMAT": format.rawValue])
        #expect(try await eventually { house.port(of: "device_api", .ingest) != nil })
        let port = try #require(house.port(of: "device_api", .ingest))
        let phone = try await enrol(port)
        let drop = try await send(#"{"seq":1,"event":"emergency","mcc":"624","mnc":"01",PLACE}"#, phone, port)
        let other = try await send(#"{"seq":2,"event":"emergency","mcc":"624","mnc":"02",PLACE}"#, phone, port)
        let calm = try await send(#"{"seq":3,"mcc":"624","mnc":"01",PLACE}"#, phone, port)
        let again = try await send(#"{"seq":4,"event":"emergency","mcc":"624","mnc":"01",PLACE}"#, phone, port)
        #expect(try await eventually { try await !follow(again, house).isEmpty })
        var found: [[String]] = []
        for batch in [drop, other, calm, again] { found.append(try await follow(batch, house)) }
        #expect(found[0].count == 1 && found[0].first?.hasPrefix("62401-") == true)
        #expect(found[1].count == 1 && found[1].first?.hasPrefix("62402-") == true)
        #expect(found[2] == [], "an ordinary upload raises nothing")
        #expect(found[3] == found[0], "a later row counts in the same alarm")
        try await house.stop()
        let objects = try await house.shell("cat *.log").split(separator: "\n").map {
            (try? JSONValue(bytes: Array($0.utf8)).decoded(as: Line.self)) != nil
        }
        #expect(!objects.isEmpty && objects.allSatisfy { $0 == (format == .json) }, "all lines are of one format")
    }

    /// What an object of the log has.
    private struct Line: Decodable {
        let time: String, level: String, label: String, message: String, metadata: [String: String]
    }

    /// Alarms that the page's script finds for a batch.
    private func follow(_ batch: String, _ house: House) async throws -> [String] {
        let script = try #require(MetricsPage().script)
        let lines = try await house.shell(script.replacing(/id=[0-9a-f]+/, with: "id=\(batch)"))
        return lines.matches(of: /alarms"?[=:]"?([^ "]+)/).flatMap { match in
            match.output.1.split(separator: ",").map { String($0[..<($0.lastIndex(of: ":") ?? $0.endIndex)]) }
        }
    }

    private func enrol(_ port: Int) async throws -> String {
        let body = """
            {"platform":"android","app_version":"1.0","policy_version":"1","age_band":"18+","consent":{"measurement":true,\
            "location_precise":true,"location_coarse":true,"call_events":true}}
            """
        let answer = try await apart {
            try HTTPExchange.send(
                "POST", "/v1/devices", port: port, headers: ["Content-Type": "application/json"], body: Array(body.utf8)
            )
        }
        return try member("token", answer)
    }

    /// Sends a report; the receipt's batch_id.
    private func send(_ report: String, _ token: String, _ port: Int) async throws -> String {
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        let place = #""captured_at_ms":\#(now),"latitude":4.05,"longitude":9.77,"accuracy_m":10"#
        let answer = try await apart {
            try HTTPExchange.send(
                "POST", "/v1/reports", port: port,
                headers: ["Content-Type": "application/json", "Authorization": "Bearer \(token)"],
                body: Array(report.replacing("PLACE", with: place).utf8))
        }
        return try member("batch_id", answer)
    }

    private func member(_ name: String, _ answer: HTTPExchange) throws -> String {
        let document = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        return try #require(document?[name] as? String, "\(answer.text)")
    }
}
