import Foundation
import HTTPTypes
import Hummingbird
import Models
import ServiceKit
import TemporaryFiles
import Testing

@testable import AnalyticsExporter
@testable import ExporterAPI
@testable import ExporterSupport

/// `/openapi.json` of the operators' API against the API.
@Suite struct ExporterDocumentTests {
    /// A documented operation.
    private struct Operation {
        let path, method: String
        let object: JSONValue

        /// The path with something in place of its names.
        var examplePath: String {
            path.split(separator: "/", omittingEmptySubsequences: false).map { $0.hasPrefix("{") ? "none" : String($0) }
                .joined(separator: "/")
        }
    }

    private static func operations(_ exporter: TestExporter) async throws -> [Operation] {
        let document = try JSONValue(bytes: try await exporter.request("/openapi.json", headers: [:]).bytes())
        return (document["paths"]?.object ?? [:]).sorted { $0.key < $1.key }.flatMap { path, methods in
            (methods.object ?? [:]).sorted { $0.key < $1.key }.map { Operation(path: path, method: $0, object: $1) }
        }
    }

    @Test func `every call is described, and what is described can be called`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let described = try await Self.operations(exporter)
        let registered = exporter.api.routes.map { "\($0.method.rawValue.lowercased()) \($0.path)" }
        #expect(described.map { "\($0.method) \($0.path)" }.sorted() == registered.sorted())
        #expect(Set(exporter.api.routes.map(\.id)).count == registered.count)
        let methods: [HTTPRequest.Method] = [.get, .post, .put, .patch, .delete]
        for (path, operations) in Dictionary(grouping: described, by: \.path) where path != "/" {
            for method in methods {
                let isDescribed = operations.contains { $0.method == method.rawValue.lowercased() }
                let response = await exporter.request(method, operations[0].examplePath)
                #expect((response.status != .methodNotAllowed) == isDescribed, "\(method) \(path)")
                guard response.status == .methodNotAllowed else { continue }
                let allowed = Set((response.headers[.allow] ?? "").components(separatedBy: ", "))
                #expect(allowed == Set(operations.map { $0.method.uppercased() }), "\(path)")
            }
        }
    }

    @Test func `a parameter that is not described is refused, and the refusal says what is`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        for operation in try await Self.operations(exporter) where operation.path != "/" {
            let method = HTTPRequest.Method(operation.method.uppercased())!
            let response = await exporter.request(method, operation.examplePath + "?colour=")
            let problem = try JSONValue(bytes: try await response.bytes())
            #expect(problem["code"] == "unknown_parameter" && problem["field"] == "colour", "\(operation.path)")
            let names = (operation.object["parameters"]?.array ?? []).filter { $0["in"] == "query" }
                .compactMap { $0["name"]?.string }
            #expect(
                problem["detail"]?.string?.hasSuffix("allowed: " + names.joined(separator: ", ")) == true,
                "\(operation.path)")
        }
    }

    @Test func `a parameter that is described is understood by its call`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        for route in exporter.api.routes where route.method == .get && !route.path.contains("{") {
            // Streams and downloads do not end by themselves, or take a seat.
            guard !route.path.contains("stream") else { continue }
            for parameter in route.parameters where parameter.place == .query {
                let response = await exporter.request("\(route.path)?\(parameter.name)=%22%C3%BC%22")
                guard response.status != .ok else { continue }
                let problem = try JSONValue(bytes: try await response.bytes())
                #expect(problem["code"] != "unknown_parameter", "\(route.path) \(parameter.name)")
                // A fault is that of the parameter itself.
                #expect(
                    problem["field"]?.string == parameter.name, "\(route.path) \(parameter.name)")
            }
        }
    }

    @Test func `every reference of the document leads somewhere, and names stand in it once`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let value = exporter.api.document.value, schemas = value["components"]?["schemas"]?.object ?? [:]
        let references = value.text.components(separatedBy: "#/components/schemas/").dropFirst()
            .map { String($0.prefix { $0 != "\"" }) }
        #expect(Set(references) == Set(schemas.keys))
        let tag = try #require(await exporter.request("/openapi.json", headers: [:]).headers[.eTag])
        let again = await exporter.request("/openapi.json", headers: [.ifNoneMatch: tag])
        #expect(again.status == .notModified)
    }
}
