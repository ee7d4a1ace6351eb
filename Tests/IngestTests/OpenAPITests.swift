import Foundation
import HTTPTypes
import IngestUploads
import Models
import QoE
import ServiceKit
import Testing

@testable import IngestAPI
@testable import IngestSupport

/// The OpenAPI document against the routes, the records and what is really answered. That answers of every other suite are
/// in the document is checked by ``DocumentedAnswers``.
@Suite struct OpenAPITests {
    private static let document = OpenAPIDocument(.qoe, OperatorTable(text: OperatorTable.cameroon)!)
    private let paths = Self.document.value["paths"]?.object ?? [:]

    @Test func `every route and method is in the document and no other`() {
        let calls = DeviceRoute.allCases.filter { $0 != .records }
        let routes = Set(
            calls.flatMap { route in (route.methods ?? []).map { "\($0) \(route.rawValue)" } }
                + Programmes.qoe.kinds.map { "POST \($0.path)" })
        let documented = paths.flatMap { path, item in (item.object ?? [:]).keys.map { "\($0.uppercased()) \(path)" } }
        #expect(Set(documented) == routes && documented.count == routes.count)
        #expect(DeviceOperation.all(.qoe).count == routes.count)
        #expect(Set(DeviceOperation.all(.qoe).map(\.id)).count == routes.count)
    }

    @Test func `a kind is found by its path`() throws {
        let paths = try RecordPaths(.qoe)
        #expect(paths.kind("/v1/reports") == .report && paths.kind("/v1/feedback") == .feedback)
        #expect(paths.kind("/v1/me/prompts") == .prompt)
        #expect(["/v1/report", "/v1/reports/", "/v1/{kind}", ""].allSatisfy { paths.kind($0) == nil })
        #expect(Programmes.qoe.kinds.allSatisfy { DeviceRoute($0.path[...]) == .unknown })
        #expect(DeviceRoute("/v1/{kind}") == .unknown)
    }

    @Test(arguments: DeviceRoute.allCases.filter { $0 != .unknown && $0 != .records })
    func `a route is found by its path`(route: DeviceRoute) {
        #expect(DeviceRoute(route.rawValue[...]) == route)
        let filled = route.rawValue.replacing("{request_id}", with: "5f0c")
        #expect(DeviceRoute(filled[...]) == route)
        #expect(DeviceRoute((filled + "/")[...]) == .unknown && DeviceRoute(("/" + filled)[...]) == .unknown)
    }

    @Test(arguments: DeviceOperation.all(.qoe))
    func `a call needs a token if and only if the document says so`(operation: DeviceOperation) async throws {
        let bench = try await APIBench()
        let answer = try await bench.call(HTTPRequest.Method(operation.method)!, operation.filledPath)
        let security = operation.object["security"]?.array ?? []
        #expect((answer.status == 401) == !security.isEmpty, "\(operation.id): \(answer.text)")
        #expect((operation.object["responses"]?["401"] != nil) == !security.isEmpty)
    }

    @Test(arguments: DeviceOperation.all(.qoe))
    func `the examples of a call are taken`(operation: DeviceOperation) async throws {
        for body in operation.bodies {
            #expect(!body.examples.isEmpty)
            for (name, example) in body.examples {
                let bench = try await APIBench(passkeys: PasskeyOrigin(text: "https://nkul.example"))
                let token = try await bench.enrol(), path = try await bench.path(of: operation, token)
                let text: String
                if case .string(let lines) = example { text = lines } else { text = example.text }
                let answer = try await bench.call(
                    HTTPRequest.Method(operation.method)!, path, Array(text.utf8),
                    headers: [.authorization: "Bearer \(token)", .contentType: body.type])
                // No dispatcher has told its key here, and nobody agreed to rewards: the body was read before that.
                guard answer.code?.hasSuffix("s_consent") != true else { continue }
                // Nor has a notifier.
                guard answer.code != "push_key_unknown" || operation.route != .push else { continue }
                // A passkey signs a challenge that was made just now.
                guard answer.code != "passkey_invalid" || operation.route != .passkey else { continue }
                #expect(operation.answers.map(\.status).contains(answer.status), "\(name): \(answer.text)")
                guard operation.route.isUpload, operation.route != .geosubmit else { continue }
                #expect(
                    (answer.json["items"] as? [[String: Any]])?.allSatisfy(Self.isOfItsTime) == true, "\(answer.text)")
            }
        }
    }

    /// Examples are of another day than the tests' clock; all else about them is right.
    private static func isOfItsTime(_ item: [String: Any]) -> Bool {
        ["in_future", "too_old"].contains(item["code"] as? String) || item["status"] as? String == "duplicate"
    }

    @Test func `every reference leads to a schema`() {
        let schemas = Self.document.value["components"]?["schemas"]?.object ?? [:]
        let references = Self.document.value.text.matches(of: /"#\/components\/schemas\/([A-Za-z]+)"/)
            .map { String($0.output.1) }
        #expect(Set(references).isSubset(of: schemas.keys))
        let unused = Set(schemas.keys).subtracting(references)
        #expect(unused.isEmpty, "\(unused)")
    }

    @Test func `the document is served and kept`() async throws {
        let bench = try await APIBench()
        let answer = try await bench.call(.get, "/openapi.json")
        #expect(answer.status == 200 && answer.json["openapi"] as? String == "3.1.0")
        #expect(answer.headers[.cacheControl] == "public, max-age=3600")
        let tag = try #require(answer.headers[.eTag])
        for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
            let same = try await bench.call(.get, "/openapi.json", headers: [.ifNoneMatch: known])
            #expect(same.status == 304 && same.body.isEmpty && same.headers[.eTag] == tag, "\(known)")
        }
        #expect(try await bench.call(.get, "/openapi.json", headers: [.ifNoneMatch: "\"x\""]).status == 200)
    }

    // MARK: - Records

    @Test(arguments: [RecordKind.report, .feedback])
    func `what a schema says of a range is what is taken`(kind: RecordKind) throws {
        let properties = try #require(RecordSchema(kind).object["properties"]?.object)
        var count = 0
        for field in kind.fields {
            let schema = try #require(properties[field.name])
            guard case .number = field.representation, let low = double(schema["minimum"]),
                let high = double(schema["maximum"])
            else { continue }
            let step = 1 / Double(field.scale)
            guard high + step > high else { continue }
            for (value, isRight) in [(low, true), (high, true), (low - step, false), (high + step, false)] {
                let code = try Self.code(of: kind, field.name, value)
                #expect((code == nil) == isRight, "\(field.name) \(value): \(code ?? "taken")")
            }
            count += 1
        }
        #expect(count > 10)
    }

    @Test func `fields are described as the interface has them`() throws {
        let report = try #require(RecordSchema(.report).object["properties"]?.object)
        #expect(report["rsrp_dbm"]?["minimum"] == .number(-156) && report["rsrp_dbm"]?["maximum"] == .number(-31))
        #expect(report["rsrp_dbm"]?["x-unit"] == "dBm")
        #expect(report["network_type"]?["anyOf"]?.array?.first?["enum"]?.array?.contains("NR_SA") == true)
        #expect(report["captured_at_ms"] != nil && report["emoji"] == nil)
        let feedback = try #require(RecordSchema(.feedback).object["properties"]?.object)
        #expect(feedback["emoji"]?["enum"]?.array?.prefix(5) == ["😡", "😕", "😐", "🙂", "😍"])
        #expect(feedback["rating"]?["maximum"] == .integer(5))
    }

    private func double(_ value: JSONValue?) -> Double? {
        switch value {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// Why a record with that value is rejected; nil if it is not.
    private static func code(of kind: RecordKind, _ name: String, _ value: Double) throws -> String? {
        var row: [String: JSONValue] = [
            "seq": 1, "captured_at_ms": 1_760_000_000_000, "rating": 3, "network_type": "NR_SA",
        ]
        row[name] = value == value.rounded() ? .integer(Int64(value)) : .number(value)
        let request = UploadRequest(kind: kind, arrivedAt: 1_760_000_000_000)
        let device = DeviceIdentity(ordinal: 1, consent: .all, consentVersion: 1)
        let upload = try Array(JSONValue.object(row).text.utf8).withUnsafeBytes {
            try UploadReader(.qoe).read($0, of: device, as: request)
        }
        return (upload.rejections.first?.code ?? upload.leftOut[0]?.first?.code)?.rawValue
    }
}

extension APIBench {
    /// The path of a call with something in the place of its variable parts, and with a key of the device where it wants one.
    func path(of operation: DeviceOperation, _ token: String) async throws -> String {
        if operation.route == .callback { return try knownCallback() }
        guard operation.route == .geosubmit else { return operation.filledPath }
        let made = try await call(.post, "/v1/me/upload-key", headers: [.authorization: "Bearer \(token)"])
        return made.json["path"] as? String ?? ""
    }
}

extension DeviceOperation {
    /// The path with something in the place of its variable parts.
    var filledPath: String {
        path.replacing("{request_id}", with: "5f0c").replacing("{provider}", with: "momo")
            .replacing("{secret}", with: String(repeating: "0", count: 32))
    }
}
