import Alarms
import Foundation
import PipelineTesting
import SocketTesting
import Testing

@testable import ServiceKit

/// All services in this process, a tenant with site 12, one with site 13, a controller of doors and sensors, and the calls that tests
/// make.
struct AlarmsHouse {
    let house: House
    let devices: Int, operators: Int
    private(set) var harbour = "", hill = "", viewer = ""

    init(settings: [String: String] = [:]) async throws {
        house = try House(programmes: .ofThisBuild, settings: settings)
        let house = house
        #expect(
            try await eventually {
                house.port(of: "device_api", .ingest) != nil && house.port(of: "mno_api", .analyticsExporter) != nil
            })
        devices = try #require(house.port(of: "device_api", .ingest))
        operators = try #require(house.port(of: "mno_api", .analyticsExporter))
        harbour = try await admin(.analyticsExporter, "tenant.add", ["name": "harbour", "scopes": ["site:12"]])
            .text("token")
        hill = try await admin(.analyticsExporter, "tenant.add", ["name": "hill", "scopes": ["site:13"]]).text("token")
        viewer = try await admin(
            .analyticsExporter, "contact.add", ["tenant": "harbour", "name": "vic", "role": "viewer"]
        ).text("token")
    }

    /// A call of the operator of the home.
    @discardableResult
    func admin(_ service: ServiceName, _ call: String, _ arguments: JSONValue) async throws -> JSONValue {
        let known = try #require(house.hosts[service]?.control.all.last { $0.name == call })
        return try await known.answer(arguments)
    }

    /// Any call of the operators' API; the status and the body.
    @discardableResult
    func call(
        _ method: String, _ path: String, as token: String, key: String? = nil, _ body: String = ""
    ) async throws -> (status: Int, json: JSONValue) {
        var headers = ["Authorization": "Bearer \(token)", "Content-Type": "application/json"]
        headers["Idempotency-Key"] = key
        let answer = try await apart { [headers, operators] in
            try HTTPExchange.send(method, path, port: operators, headers: headers, body: Array(body.utf8))
        }
        return (answer.status, (try? JSONValue(bytes: answer.body)) ?? .null)
    }

    /// Enrols a device; its token and its number.
    func enrol() async throws -> (token: String, number: Int64) {
        let body =
            #"{"platform":"controller","app_version":"1","policy_version":"1","consent":{"measurement":true,"#
            + #""operator_sharing":true}}"#
        let answer = try await apart { [devices] in
            try HTTPExchange.send(
                "POST", "/v1/devices", port: devices, headers: ["Content-Type": "application/json"],
                body: Array(body.utf8))
        }
        let json = try JSONValue(bytes: answer.body), id = try json.text("device_id")
        let device = try await admin(.ingest, "device.show", ["device": .string(id)])
        return (
            try json.text("token"), try #require(device["ordinal"]?.integer ?? device["number"]?.integer, "\(device)")
        )
    }

    /// Sends a record of a device; the receipt.
    @discardableResult
    func send(_ path: String, _ body: String, by token: String) async throws -> String {
        try await apart { [devices] in
            try HTTPExchange.send(
                "POST", path, port: devices,
                headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/json"],
                body: Array(body.utf8)
            ).text
        }
    }

    static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}
