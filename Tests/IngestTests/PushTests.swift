import Channels
import Foundation
import GRDB
import HTTPTypes
import IngestCommands
import IngestCommit
import IngestUploads
import Lanes
import Models
import QoE
import Storage
import Testing
import Wire

@testable import IngestAPI
@testable import IngestSupport

/// `/v1/me/push`: whether a browser is asked, and what ingest keeps of it.
@Suite struct PushTests {
    private let privateKey = RecipientSeal.newKey()
    private static let point =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    private static let secret = "BTBZMqHH6r4Tts7J_aSIgg"

    private static func body(
        _ endpoint: String = "https://push.example.org/send/secret1", _ key: String = point, _ auth: String = secret
    ) -> String {
        #"{"endpoint":"\#(endpoint)","expirationTime":null,"keys":{"p256dh":"\#(key)","auth":"\#(auth)"}}"#
    }

    private var key: ChannelKeyDocument {
        get throws {
            ChannelKeyDocument(
                id: "k1", publicKey: Data(try RecipientSeal.publicKey(of: privateKey)).base64EncodedString(),
                vapidKey: Self.point)
        }
    }

    /// A home with a notifier, which tells its keys.
    private func bench(hasKey: Bool = true) async throws -> APIBench {
        let bench = try await APIBench(hasNotifier: true)
        guard hasKey else { return bench }
        let document = Array(try JSONEncoder().encode(try key))
        let engine = try bench.copies.engine(hasNotifier: true)
        try engine.step(
            [bench.copies.block(.deliveries, .channelKey, [CopiesBench.Record(key: "current", document: document)])],
            now: 1)
        return bench
    }

    private func call(
        _ bench: APIBench, _ method: HTTPRequest.Method, _ token: String, _ text: String = ""
    ) async throws -> APIBench.Answer {
        try await bench.call(
            method, "/v1/me/push", Array(text.utf8), headers: [.authorization: "Bearer \(token)"])
    }

    private func told(_ bench: APIBench) throws -> [PushDocument] {
        try bench.documents(.push, on: .requests, as: PushDocument.self)
    }

    @Test func `a browser is told the key by which to subscribe, and turns questions on and off`() async throws {
        let bench = try await bench(), token = try await bench.enrol()
        #expect(try await call(bench, .get, token).text == #"{"is_on":false,"vapid_key":"\#(Self.point)"}"#)
        let on = try await call(bench, .put, token, Self.body())
        #expect(
            on.status == 200
                && on.text == """
                    {"is_on":true,"vapid_key":"\(Self.point)","since":"2025-10-09T08:53:20.000Z","since_ms":1760000000000}
                    """
        )
        #expect(try await call(bench, .get, token).text == on.text)
        #expect(try await call(bench, .delete, token).json["is_on"] as? Bool == false)
        #expect(try await call(bench, .get, token).json["is_on"] as? Bool == false)
        // Turned off twice, the lane is told once.
        #expect(try await call(bench, .delete, token).status == 200)
        #expect(try told(bench).map { $0.sealed == nil } == [false, true])
    }

    @Test func `where there is no notifier it is said, and nothing is taken`() async throws {
        let none = try await APIBench(), token = try await none.enrol()
        let refused = try await call(none, .put, token, Self.body())
        #expect(refused.status == 503 && refused.code == "push_key_unknown" && refused.headers[.retryAfter] == "60")
        #expect(try await call(none, .get, token).text == #"{"is_on":false,"vapid_key":null}"#)
        let early = try await bench(hasKey: false), other = try await early.enrol()
        #expect(try await call(early, .put, other, Self.body()).code == "push_key_unknown")
        #expect(try told(early).isEmpty)
    }

    @Test func `the lane carries a subscription that the notifier's key alone opens, for that device alone`()
        async throws
    {
        let bench = try await bench(), token = try await bench.enrol()
        #expect(try await call(bench, .put, token, Self.body()).status == 200)
        let document = try #require(try told(bench).first)
        func open(_ device: UInt64, _ key: [UInt8]?) -> ChannelSecrets.PushSubscription? {
            PushSeal.open(document, of: device, AddressPolicy()) { $0 == "k1" ? key : nil }
        }
        let opened = try #require(open(1, privateKey))
        #expect(opened.endpoint.text == "https://push.example.org/send/secret1")
        #expect(Base64URL.text(opened.publicKey) == Self.point && Base64URL.text(opened.authentication) == Self.secret)
        #expect(open(2, privateKey) == nil && open(1, RecipientSeal.newKey()) == nil && open(1, nil) == nil)
        // Its length does not name the push service.
        #expect(Data(base64Encoded: document.sealed ?? "")?.count == 65 + 512 + 16)
        var files = 0
        for file in try FileManager.default.subpathsOfDirectory(atPath: bench.path) {
            guard let data = FileManager.default.contents(atPath: bench.path + "/" + file) else { continue }
            files += 1
            for text in ["push.example.org", "secret1", Self.secret] {
                #expect(data.range(of: Data(text.utf8)) == nil, "\(file)")
            }
        }
        #expect(files >= 4)
    }

    @Test(arguments: [
        (body("http://push.example.org/1"), "bad_format", "endpoint"),
        (body("https://127.0.0.1/1"), "bad_format", "endpoint"),
        (body("https://10.1.2.3/1"), "bad_format", "endpoint"),
        (body("https://[fd00::1]/1"), "bad_format", "endpoint"),
        (body("https://a@push.example.org/1"), "bad_format", "endpoint"),
        (body("https://localhost/1"), "bad_format", "endpoint"),
        (body("https://push.example.org/" + String(repeating: "x", count: 2_048)), "bad_format", "endpoint"),
        (body("https://push.example.org/1", "AAAA"), "bad_format", "keys.p256dh"),
        (body("https://push.example.org/1", point, "AAAA"), "bad_format", "keys.auth"),
        (#"{"endpoint":"https://push.example.org/1"}"#, "missing_field", "keys"),
        (#"{"endpoint":1,"keys":{"p256dh":"","auth":""}}"#, "wrong_type", "endpoint"),
        ("[]", "not_an_object", nil), ("{", "malformed", nil),
    ])
    func `what is no subscription is said by member and range, without repeating it`(
        text: String, code: String, field: String?
    ) async throws {
        let bench = try await bench(), token = try await bench.enrol()
        let answer = try await call(bench, .put, token, text)
        #expect(answer.status == 422 && answer.code == code && answer.json["field"] as? String == field)
        #expect(!answer.text.contains("push.example.org") && !answer.text.contains("10.1.2.3"))
        if code == "bad_format" { #expect((answer.json["detail"] as? String)?.contains(" is ") == true) }
        #expect(try told(bench).isEmpty)
    }

    @Test func `it needs consent to measurement, and ends with it in the same commit`() async throws {
        let bench = try await bench(), token = try await bench.enrol()
        #expect(try await call(bench, .put, token, Self.body()).status == 200)
        func consent(_ measurement: Bool) async throws -> Int {
            try await bench.call(
                .put, "/v1/me/consent",
                Array(#"{"consent":{"measurement":\#(measurement)},"policy_version":"2"}"#.utf8),
                headers: [.authorization: "Bearer \(token)", .contentType: "application/json"]
            ).status
        }
        #expect(try await consent(false) == 200)
        #expect(try await call(bench, .get, token).json["is_on"] as? Bool == false)
        #expect(try told(bench).map { $0.sealed == nil } == [false, true])
        let refused = try await call(bench, .put, token, Self.body())
        #expect(refused.status == 403 && refused.code == "no_measurement_consent")
        // To allow it again turns nothing on.
        #expect(try await consent(true) == 200)
        #expect(try await call(bench, .get, token).json["is_on"] as? Bool == false)
        #expect(try told(bench).count == 2)
    }

    @Test func `a full requests lane takes no subscription`() throws {
        let bench = try EngineBench(requestsLimit: 1)
        try bench.enrol(1)
        let outcome = try bench.engine.commit([], commands: [try bench.pushChange(1)], now: Reading.now)
        #expect(throws: DeviceAPIError.full(.requests)) { try outcome.answers(to: PushChange.self)[0].get() }
        #expect(try bench.database.read { try IngestStore($0).pushSince(of: 1) } == nil)
    }
}
