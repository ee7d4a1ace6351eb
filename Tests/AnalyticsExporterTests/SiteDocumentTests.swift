import HTTPTypes
import Hummingbird
import Models
import ServiceKit
import TemporaryFiles
import Testing

@testable import AnalyticsExporter
@testable import ExporterAPI

/// Sites, sensors, doors and keys as managers set them.
@Suite struct SiteDocumentTests {
    private let directory: TemporaryDirectory
    private let exporter: TestExporter

    init() throws {
        directory = try TemporaryDirectory()
        exporter = try TestExporter(
            directory,
            settings: [
                "NKUL_EXPORTER_TENANT_SENSORS": "2", "NKUL_EXPORTER_TENANT_DOORS": "1",
                "NKUL_EXPORTER_TENANT_KEYS": "1",
            ])
    }

    private func tenant(_ name: String, _ site: Int) async throws -> String {
        let token = try await exporter.tenantCalls.add(["name": .string(name), "scopes": [.string("site:\(site)")]])
            .text("token")
        let set = try await put("sites/\(site)", #"{"name":"S","zone":"UTC"}"#, as: token)
        #expect(set.status == .ok)
        return token
    }

    private func put(_ path: String, _ body: String, as token: String) async throws
        -> (status: HTTPResponse.Status, json: JSONValue)
    {
        let response = await exporter.request(.put, "/v1/\(path)", headers: TestExporter.bearer(token), body: body)
        return (response.status, (try? JSONValue(bytes: try await response.bytes())) ?? .null)
    }

    @Test func `a tenant has a bounded number of sensors, doors and keys, whoever else has how many`() async throws {
        let harbour = try await tenant("harbour", 12), hill = try await tenant("hill", 13)
        func documents(_ site: Int) -> [(String, Int, String)] {
            [
                ("sensors", 2, #"{"site":\#(site),"name":"S"}"#),
                ("doors", 1, #"{"site":\#(site),"name":"D","device":1}"#),
                (
                    "keys", 1,
                    #"{"door":\#(site)01,"contact":"manager","schedule":[{"from":"00:00","to":"24:00"}]}"#
                ),
            ]
        }
        for (token, site) in [(harbour, 12), (hill, 13)] {
            for (path, most, body) in documents(site) {
                for number in 1...most {
                    #expect(try await put("\(path)/\(site)0\(number)", body, as: token).status == .ok, "\(path)")
                }
                let more = try await put("\(path)/\(site)09", body, as: token)
                #expect(more.status == .conflict && more.json["code"] == "too_many_documents", "\(path)")
                #expect(try await put("\(path)/\(site)01", body, as: token).status == .ok, "what is there is set anew")
            }
        }
        let regulator = try await put("sensors/1209", documents(12)[0].2, as: exporter.token)
        #expect(regulator.status == .ok)
    }

    @Test(arguments: [
        ("sites/12", #"{"name":"S","zone":"UTC","code_set":1}"#, "code_set"), ("doors/x", "{}", "id"),
        ("sites/12", #"{"name":"S","zone":"UTC","code":4711}"#, "code"),
        ("sensors/7", #"{"site":13,"name":"S"}"#, "site"), ("doors/3", #"{"site":12}"#, "name"),
        ("keys/k", #"{"door":3,"contact":"ann","schedule":[{"from":"00:00","to":"24:00"}]}"#, "door"),
    ])
    func `what is wrong is named by its member alone`(path: String, body: String, field: String) async throws {
        let harbour = try await tenant("harbour", 12), refused = try await put(path, body, as: harbour)
        #expect(
            refused.status == .unprocessableContent && refused.json["code"] == "invalid_document"
                && refused.json["field"]?.string == field, "\(refused.json)")
    }
}
