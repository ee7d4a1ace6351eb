import Crypto
import Foundation
import HTTPTypes
import IngestUploads
import Testing

@testable import NkulDevice

/// Requests of the device kit, as it signs them, at the device API itself.
@Suite struct KitSignatureTests {
    private let key = P256.Signing.PrivateKey()
    private let now = Reading.now / 1_000

    private var enrolment: String {
        let point = key.publicKey.x963Representation.base64EncodedString()
        return APIBench.enrolment.replacing(#"{"platform""#, with: #"{"device_key":"\#(point)","platform""#)
    }

    /// The fields of a request that the kit has signed.
    private func fields(_ request: DeviceRequest, _ token: String, created: Int64) throws -> HTTPFields {
        let signature = RequestSignature(of: request, created: created)
        let bytes = try key.signature(for: signature.base).rawRepresentation
        var fields: HTTPFields = [.authorization: "Bearer \(token)"]
        for (name, value) in request.headers.merging(signature.headers([UInt8](bytes)), uniquingKeysWith: { $1 }) {
            fields[HTTPField.Name(name)!] = value
        }
        return fields
    }

    private func send(
        _ bench: APIBench, _ request: DeviceRequest, _ fields: HTTPFields, body: [UInt8]? = nil, path: String? = nil
    ) async throws -> APIBench.Answer {
        try await bench.call(
            HTTPRequest.Method(request.method)!, path ?? request.path, body ?? request.body, headers: fields)
    }

    private func consent(_ purposes: [String], _ token: String) -> DeviceRequest {
        let list = purposes.map { "\"\($0)\":true" }.joined(separator: ",")
        return DeviceRequest(
            method: "PUT", path: "/v1/me/consent", headers: ["Content-Type": "application/json"],
            body: Array(#"{"consent":{\#(list)},"policy_version":"2"}"#.utf8))
    }

    @Test(arguments: [PersonalRequest.copyEverything, .eraseEverything, .erase(from: 0, until: 1_000)])
    func `a wish of the kit is taken once; altered, replayed or unsigned it is refused`(wish: PersonalRequest)
        async throws
    {
        let bench = try await APIBench(), token = try await bench.enrol(enrolment), request = wish.request
        var bare: HTTPFields = [.authorization: "Bearer \(token)"]
        bare[.contentType] = request.headers["Content-Type"]
        #expect(try await send(bench, request, bare).code == "signature_required")
        let good = try fields(request, token, created: now - 2)
        let other = Array(#"{"scope":{"from":"2020-01-01T00:00:00Z"}}"#.utf8)
        #expect(try await send(bench, request, good, body: other).code == "signature_invalid")
        let elsewhere = request.path == "/v1/me/data" ? "/v1/me/erasures" : "/v1/me/data"
        #expect(try await send(bench, request, good, path: elsewhere).code == "signature_invalid")
        #expect(try await send(bench, request, good).status == 202)
        let again = try await send(bench, request, good)
        #expect(again.code == (wish == .eraseEverything ? "device_erased" : "signature_replayed"))
        let late = try fields(request, token, created: now - 301)
        guard wish != .eraseEverything else { return }
        let old = try await send(bench, request, late)
        #expect(old.code == "signature_expired")
        // By this the kit learns the time.
        #expect(ServerAnswer(DeviceResponse(status: old.status, body: old.body)) == .oldSignature(by: 301))
    }

    @Test func `who has signed a consent signs each that allows more; taking back needs no signature`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(enrolment)
        let bare: HTTPFields = [.authorization: "Bearer \(token)", .contentType: "application/json"]
        let all = consent(["measurement", "location_precise", "call_events", "research"], token)
        // As older apps do: they have a key, and do not sign this.
        let more = consent(["measurement", "location_precise", "call_events", "rewards"], token)
        #expect(try await send(bench, more, bare).status == 200)
        let signed = try fields(all, token, created: now - 9)
        #expect(try await send(bench, all, signed).status == 200)
        #expect(try await send(bench, more, bare).code == "signature_required")
        let less = consent(["measurement"], token)
        #expect(try await send(bench, less, bare).status == 200)
        let replayed = try await send(bench, all, signed)
        #expect(replayed.status == 403 && replayed.code == "signature_replayed")
        #expect(
            try await send(bench, all, try fields(all, token, created: now - 8), body: more.body).code
                == "signature_invalid")
        #expect(try await send(bench, all, try fields(all, token, created: now - 8)).status == 200)
        #expect(try await send(bench, less, try fields(less, token, created: now - 8)).code == "signature_replayed")
        let told = try await bench.call(.get, "/v1/me/consent", headers: bare)
        #expect((told.json["consent"] as? [String: Bool])?["research"] == true)
    }

    @Test func `a signed consent that changes nothing is worth nothing later`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(enrolment)
        let same = consent(["measurement", "location_precise", "call_events"], token)
        let first = try fields(same, token, created: now - 9)
        #expect(try await send(bench, same, first).status == 200)
        let second = try fields(same, token, created: now - 8)
        #expect(try await send(bench, same, second).status == 200)
        let less = consent([], token)
        let bare: HTTPFields = [.authorization: "Bearer \(token)", .contentType: "application/json"]
        #expect(try await send(bench, less, bare).status == 200)
        #expect(try await send(bench, same, second).code == "signature_replayed")
    }

    @Test func `a device without a key needs none, whatever it sends`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let all = consent(["measurement", "research"], token)
        #expect(try await send(bench, all, try fields(all, token, created: 1)).status == 200)
    }
}
