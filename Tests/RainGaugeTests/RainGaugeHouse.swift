import Foundation
import Models
import PipelineTesting
import QoE
import SocketTesting
import Synchronization
import Testing

@testable import ServiceKit

/// All services in this process with QoE and rain gauges, two sites with a tenant each, and the calls that tests make.
struct RainGaugeHouse {
    let house: House
    let device: Int
    let operators: Int
    /// Tokens of the managers of sites 12 and 13, of an operator of networks, and of the regulator.
    private(set) var dry = "", wet = "", network = "", regulator = ""
    private let ahead = Ahead()

    init() async throws {
        house = try House(
            programmes: Programmes([.qoe, .rainGauge]), clock: WallClock { [ahead] in Self.system + ahead.value })
        let house = house
        #expect(
            try await eventually {
                house.port(of: "device_api", .ingest) != nil && house.port(of: "mno_api", .analyticsExporter) != nil
            })
        device = try #require(house.port(of: "device_api", .ingest))
        operators = try #require(house.port(of: "mno_api", .analyticsExporter))
        wet = try await addTenant("wet-site", ["scopes": ["site:12"]])
        dry = try await addTenant("dry-site", ["scopes": ["site:13"]])
        network = try await addTenant("network", ["plmns": ["62401"]])
        regulator = try await addTenant("authority", ["regulator": true])
    }

    /// By the clock of all services.
    var now: Int64 { Self.system + ahead.value }

    /// Moves the clock of all services on.
    func wait(hours: Int64) { ahead.add(hours * 3_600_000) }

    private static var system: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    /// How far the clock of services is ahead of the system's.
    private final class Ahead: Sendable {
        private let milliseconds = Mutex<Int64>(0)
        var value: Int64 { milliseconds.withLock { $0 } }
        func add(_ more: Int64) { milliseconds.withLock { $0 += more } }
    }

    /// A call of the operator of the home.
    func admin(_ service: ServiceName, _ call: String, _ arguments: JSONValue) async throws -> JSONValue {
        let control = try #require(house.hosts[service]).control
        let known = try #require(control.all.last { $0.name == call })
        return try await known.answer(arguments)
    }

    private func addTenant(_ name: String, _ owns: [String: JSONValue]) async throws -> String {
        let added = try await admin(
            .analyticsExporter, "tenant.add", .object(owns.merging(["name": .string(name)]) { $1 }))
        return try #require(added["token"]?.string)
    }

    /// Any call of either API; the status and the body.
    func call(
        _ method: String, _ path: String, _ port: Int, _ token: String?, _ body: String = ""
    ) async throws -> HTTPExchange {
        var headers = ["Content-Type": "application/json"]
        if let token { headers["Authorization"] = "Bearer \(token)" }
        return try await apart { [headers] in
            try HTTPExchange.send(method, path, port: port, headers: headers, body: Array(body.utf8))
        }
    }

    /// Enrols a gauge; its token.
    func enrol(sharing: Bool = true) async throws -> String {
        let answer = try await call(
            "POST", "/v1/devices", device, nil,
            #"{"platform":"gauge","app_version":"1","policy_version":"1","consent":{"measurement":true,"#
                + #""location_precise":true,"rewards":true,"operator_sharing":\#(sharing)}}"#)
        return try #require(JSONValue(bytes: answer.body)["token"]?.string)
    }

    /// Sends a reading of site 12; the receipt or the refusal.
    @discardableResult
    func send(_ mm: Double, seq: Int, gauge: Int = 7, site: Int = 12, by token: String) async throws -> HTTPExchange {
        return try await call(
            "POST", "/v1/rain", device, token,
            #"{"seq":\#(seq),"captured_at_ms":\#(now),"rain_mm":\#(mm),"battery_pct":90,"site":\#(site),"#
                + #""gauge":\#(gauge),"latitude":4.05,"longitude":9.7,"accuracy_m":5}"#)
    }

    /// What the cells of a heat map say that a tenant is served.
    func cells(of token: String, _ query: String = "programme=rain-gauge&level=20") async throws -> [[String: Any]] {
        let answer = try await call("GET", "/v1/heatmap?\(query)", operators, token)
        #expect(answer.status == 200, "\(answer.text)")
        let document = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        let features = try #require(document?["features"] as? [[String: Any]])
        return features.compactMap { $0["properties"] as? [String: Any] }
    }

    /// The raw rows that a tenant is served.
    func rows(of token: String, _ query: String = "") async throws -> [[String: Any]] {
        let answer = try await call("GET", "/v1/reports.ndjson\(query)", operators, token)
        #expect(answer.status == 200, "\(answer.text)")
        return try answer.text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }
}
