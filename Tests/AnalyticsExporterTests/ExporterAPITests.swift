import Foundation
import HTTPTypes
import Hummingbird
import Lanes
import Models
import TemporaryFiles
import Testing

@testable import ExporterSupport

@Suite struct ExporterAPITests {
    private static let routes = [
        "/v1/session", "/v1/reports.ndjson", "/v1/reports.csv", "/v1/heatmap", "/v1/events", "/v1/alarms",
        "/v1/alarms/stream", "/tmf-api/alarmManagement/v4/alarm/62401-none-1", "/v1/erasure-notices",
        "/v1/erasure-notices/0123456789abcdef0123456789abcdef/ack", "/v1/erasures", "/nowhere",
    ]

    @Test(arguments: routes, ["", "Bearer wrong", "Basic abc", "Bearer"])
    func `nothing is given without the token`(path: String, authorization: String) async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let response = await exporter.request(
            path, headers: authorization.isEmpty ? [:] : [.authorization: authorization])
        #expect(response.status == .unauthorized && response.headers[.wwwAuthenticate] == "Bearer")
        #expect(response.headers[.contentType] == "application/problem+json")
    }

    @Test func `the page needs no token and loads nothing from elsewhere`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        for path in ["/"] + DashboardTests.pageFiles.map({ "/" + $0 }) {
            let response = await exporter.request(path, headers: [:])
            #expect(response.status == .ok, "\(path)")
            let policy = response.headers[.contentSecurityPolicy] ?? ""
            #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
            let text = String(decoding: try await response.bytes(), as: UTF8.self)
            #expect(
                !text.replacing("http://www.w3.org/2000/svg", with: "").contains("http://")
                    && !text.contains("https://"))
        }
    }

    @Test func `a missing map library is not found without a token`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory, settings: ["NKUL_EXPORTER_LEAFLET": directory.path + "/none"])
        #expect(await exporter.request("/leaflet/leaflet.js", headers: [:]).status == .notFound)
        #expect(await exporter.request("/", headers: [:]).status == .ok)
    }

    @Test func `unknown routes and methods are problems`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        #expect(await exporter.request("/v1/nothing").status == .notFound)
        #expect(await exporter.request("/../keys/regulator.token").status == .notFound)
        let response = await exporter.request(.post, "/v1/heatmap")
        #expect(response.status == .methodNotAllowed && response.headers[.allow] == "GET")
    }

    @Test func `a session works until it is ended by its own page`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let login = await exporter.request(.post, "/v1/session", headers: [:], body: #"{"token":"\#(exporter.token)"}"#)
        #expect(login.status == .noContent)
        let cookie = try #require(login.headers[.setCookie])
        for part in ["HttpOnly", "SameSite=Strict", "Max-Age=43200", "Path=/"] { #expect(cookie.contains(part)) }
        #expect(!cookie.contains(exporter.token))
        let name = String(cookie.prefix { $0 != ";" })
        #expect(await exporter.request("/v1/alarms", headers: [.cookie: name]).status == .ok)
        #expect(await exporter.request(.delete, "/v1/session", headers: [.cookie: name]).status == .forbidden)
        let foreign: HTTPFields = [.cookie: name, .origin: "http://evil.test"]
        #expect(await exporter.request(.delete, "/v1/session", headers: foreign).status == .forbidden)
        let own: HTTPFields = [.cookie: name, .origin: "http://nkul.test"]
        #expect(await exporter.request(.delete, "/v1/session", headers: own).status == .noContent)
        #expect(await exporter.request("/v1/alarms", headers: [.cookie: name]).status == .unauthorized)
    }

    @Test(arguments: [(#"{"token":"wrong"}"#, 401), ("{}", 400), ("", 400), ("[1]", 400)])
    func `a bad log in is refused`(body: String, status: Int) async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let response = await exporter.request(.post, "/v1/session", headers: [:], body: body)
        #expect(response.status.code == status && response.headers[.setCookie] == nil)
    }

    @Test func `the token is private and stays`() throws {
        let directory = try TemporaryDirectory()
        let first = try TestExporter(directory).token
        #expect(first.count == 64)
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.path + "/keys/regulator.token")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try TestExporter(directory).token == first)
    }

    @Test(arguments: ["limit=0", "cursor=x", "cursor=-1-2", "kind=prompt", "plmn=abc", "to=soon", "format=xml"])
    func `bad parameters of downloads are named`(query: String) async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let response = await exporter.request("/v1/reports.ndjson?" + query)
        #expect(response.status == .badRequest)
        let text = String(decoding: try await response.bytes(), as: UTF8.self)
        #expect(text.contains("\"field\":\"\(query.prefix { $0 != "=" })\""))
    }
}
