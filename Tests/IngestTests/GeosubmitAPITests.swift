import HTTPTypes
import IngestUploads
import Models
import QoE
import ServiceKit
import Testing
import Wire

@testable import Ingest
@testable import IngestAPI
@testable import IngestSupport

/// `/v2/geosubmit` as apps call it, and the keys that they are given.
@Suite(.timeLimit(.minutes(1))) struct GeosubmitAPITests {
    private let all =
        #"{"platform":"web","app_version":"1","policy_version":"1","consent":{"measurement":true,"location_precise":true}}"#

    private func key(_ bench: APIBench, _ token: String) async throws -> String {
        let answer = try await bench.call(.post, "/v1/me/upload-key", headers: [.authorization: "Bearer \(token)"])
        let key = try #require(answer.json["key"] as? String)
        #expect(answer.status == 201 && answer.json["path"] as? String == "/v2/geosubmit?key=\(key)")
        return key
    }

    private func send(
        _ bench: APIBench, _ key: String, _ body: String = GeosubmitTests.neoStumbler, query: String = "",
        isCompressed: Bool = false
    ) async throws -> APIBench.Answer {
        var headers: HTTPFields = [.contentType: "application/json"]
        if isCompressed { headers[.contentEncoding] = "gzip" }
        let bytes = Array(body.utf8)
        return try await bench.call(
            .post, "/v2/geosubmit?key=\(key)\(query)",
            isCompressed ? try Deflater.deflate(bytes, format: .gzip) : bytes, headers: headers)
    }

    @Test func `both apps' bodies are taken whole, and told twice they count once`() async throws {
        let bench = try await APIBench(), key = try await key(bench, try await bench.enrol(all))
        for isCompressed in [true, false, true] {
            for body in [GeosubmitTests.neoStumbler, GeosubmitTests.towerCollector] {
                let answer = try await send(bench, key, body, isCompressed: isCompressed)
                #expect(answer.status == 200 && answer.text == "{}", "\(answer.text)")
            }
        }
        // Another body with the same cells, as an app makes it that sends a day again.
        let both = GeosubmitTests.body([GeosubmitTests.neoStumbler, GeosubmitTests.towerCollector].map(Self.items))
        let again = try await send(bench, key, both, query: "&receipts=all")
        #expect(again.json["duplicates"] as? Int == 3 && again.json["accepted"] as? Int == 0, "\(again.text)")
        #expect(bench.rows(on: .batch) == 3 && bench.rows(on: .realtime) == 0)
        #expect(try bench.values(of: ColumnID.mcc, on: .batch) == [624, 624, 624])
    }

    /// What stands between the brackets of `items`.
    private static func items(_ body: String) -> String {
        String(body[body.firstIndex(of: "[")!...].dropFirst().dropLast(2))
    }

    @Test func `times ahead and too old are refused row by row, and the app is told nothing of it`() async throws {
        let bench = try await APIBench(), key = try await key(bench, try await bench.enrol(all))
        let times = [Reading.now + 600_000, Reading.now - 9 * 86_400_000, Reading.now]
        let body = GeosubmitTests.body(times.map { GeosubmitTests.item("\($0)") })
        let answer = try await send(bench, key, body, query: "&receipts=all")
        #expect(answer.status == 200 && answer.items.compactMap { $0["code"] as? String } == ["in_future", "too_old"])
        #expect(bench.rows(on: .batch) == 1)
        #expect(try await send(bench, key, body).text == "{}")
        #expect(try await send(bench, key, #"{"items":[]}"#).text == "{}")
        #expect(try await send(bench, key, #"{"things":[]}"#).status == 422)
    }

    @Test func `a key sends for its device, reads nothing, and a token is no key`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(all), key = try await key(bench, token)
        for operation in DeviceOperation.all(.qoe) where operation.route.isOfDevice && operation.route != .geosubmit {
            let path = operation.path.replacing("{request_id}", with: "1")
            let method = try #require(HTTPRequest.Method(operation.method))
            for headers: HTTPFields in [[.authorization: "Bearer \(key)"], [:]] {
                #expect(try await bench.call(method, path + "?key=\(key)", headers: headers).status == 401, "\(path)")
            }
        }
        for wrong in [token, "", String(key.dropLast()), key + "A", "%00"] {
            let answer = try await send(bench, wrong)
            #expect(answer.status == 401 && answer.json["field"] as? String == "key")
        }
        let bearer = try await bench.send(GeosubmitTests.neoStumbler, token: token, path: "/v2/geosubmit")
        #expect(bearer.status == 401)
        #expect(try await send(bench, key).status == 200)
        let devices = try bench.values(of: ColumnID.device, on: .batch)
        #expect(devices == [1])
    }

    @Test func `a new key makes the one before worthless at once`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(all), first = try await key(bench, token)
        #expect(try await send(bench, first).status == 200)
        let second = try await key(bench, token)
        #expect(try await send(bench, first).status == 401)
        #expect(try await send(bench, second).status == 200)
    }

    @Test func `consent that is taken back holds for the key, as it does when it is given again`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(all), key = try await key(bench, token)
        func allow(_ purposes: String) async throws {
            let body = #"{"consent":{\#(purposes)},"policy_version":"1"}"#
            let answer = try await bench.call(
                .put, "/v1/me/consent", Array(body.utf8),
                headers: [.authorization: "Bearer \(token)", .contentType: "application/json"])
            #expect(answer.status == 200)
        }
        #expect(try await send(bench, key).status == 200)
        try await allow(#""measurement":false"#)
        let refused = try await send(bench, key, GeosubmitTests.towerCollector)
        #expect(refused.status == 403 && refused.code == "no_measurement_consent")
        try await allow(#""measurement":true,"location_precise":true"#)
        #expect(try await send(bench, key, GeosubmitTests.towerCollector).status == 200)
        #expect(bench.rows(on: .batch) == 1 + 2)
    }

    @Test func `an erased device's key is told of the erasure, a revoked one's is nobody's`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(all), key = try await key(bench, token)
        let other = try await bench.enrol(all), revoked = try await self.key(bench, other)
        let erasure = try await bench.send(#"{"scope":{"all":true}}"#, token: token, path: "/v1/me/erasures")
        let answer = try await send(bench, key)
        #expect(answer.status == 410 && answer.json["request_id"] as? String == erasure.json["request_id"] as? String)
        _ = try await bench.calls.revoke(["device": "2"])
        #expect(try await send(bench, revoked).status == 401)
        #expect(bench.rows(on: .batch) == 0)
    }

    @Test func `a day on which an app sent counts for the device's trust`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(all), key = try await key(bench, token)
        #expect(try await send(bench, key).status == 200)
        #expect(bench.calls.directory.known(token[...])?.trust?.daysSeen == 1)
    }

    @Test func `an operator makes a device with recorded consents, and cannot allow what is the person's to allow`()
        async throws
    {
        let bench = try await APIBench(), calls = KeyedDeviceCalls(queue: bench.queue)
        let added = try await calls.add([
            "consent": ["measurement", "location_precise"], "policy_version": "2026-1", "age_band": "18+",
        ])
        #expect(try await send(bench, added.key).status == 200)
        let flags = try bench.flags(on: .batch)
        #expect(flags.count == 1 && flags[0].isSuperset(of: [.notForOperators, .notForResearch, .notForRewards]))
        #expect(try bench.values(of: ColumnID.latitude, on: .batch) == [40_511_000])
        let shown = try await bench.calls.device(["device": .string(added.device)])
        #expect(shown.consent == ["measurement", "location_precise"] && shown.policy_version == "2026-1")
        #expect(shown.platform == "geosubmit" && shown.ordinal == added.ordinal)
        let wrong: [JSONValue] = [
            [:], ["consent": [], "policy_version": "1"], ["consent": ["measurement"]],
            ["consent": ["location_precise"], "policy_version": "1"],
            ["consent": ["measurement", "research"], "policy_version": "1"],
            ["consent": ["measurement", "operator_sharing"], "policy_version": "1"],
            ["consent": ["measurement", "rewards"], "policy_version": "1"],
            ["consent": ["measurement", "everything"], "policy_version": "1"],
            ["consent": ["measurement"], "policy_version": "1", "age_band": "under_16"],
            ["consent": ["measurement"], "policy_version": "1", "age_band": "old"],
        ]
        for arguments in wrong {
            await #expect(throws: ControlError.self, "\(arguments.text)") { try await calls.add(arguments) }
        }
        #expect(try await bench.calls.page([:]).devices.count == 1)
    }
}
