import Crypto
import Foundation
import Models
import QoE
import Testing

@testable import NkulDevice

/// What a person asks for through the kit, and that it is signed.
struct DeviceRightsTests {
    private static let key = P256.Signing.PrivateKey()
    private static let taken = DeviceResponse(status: 202, body: Array(#"{"request_id":"r1"}"#.utf8))
    private static let minute: Int64 = 60_000

    /// A phone with a key, enrolled.
    private func phone(hasKey: Bool = true) throws -> VirtualPhone {
        let phone = try VirtualPhone()
        phone.service = Answers.willing
        if hasKey { try phone.take(.keyed([UInt8](Self.key.publicKey.x963Representation))) }
        try phone.wake()
        try phone.take(.consented(VirtualPhone.everything))
        return phone
    }

    @Test func `a phone with a key enrols with it, and each wish is signed in a second of its own`() throws {
        let phone = try phone()
        let enrolment = try #require(phone.requests.first { $0.path == "/v1/devices" }?.json as? [String: Any])
        #expect(enrolment["device_key"] as? String == Self.key.publicKey.x963Representation.base64EncodedString())
        phone.service = { _ in Self.taken }
        let wishes: [PersonalRequest] = [
            .copyEverything, .payout(phone: "+237670000001", operator: "62401"), .erase(from: 0, until: 1_000),
            .copy("1a-b?/../c"), .eraseEverything,
        ]
        for wish in wishes { _ = try #require(try phone.ask(wish)) }
        let asked = phone.requests.suffix(wishes.count)
        #expect(asked.allSatisfy { $0.signedAt != nil && $0.headers["Authorization"] == "Bearer t" })
        let seconds = asked.compactMap(\.signedAt)
        #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $0 < $1 })
        let paths = ["/v1/me/data", "/v1/me/payout", "/v1/me/erasures", "/v1/me/data/1a-bc", "/v1/me/erasures"]
        #expect(asked.map(\.path) == paths)
        #expect(phone.requests.filter(\.isUpload).allSatisfy { $0.signedAt == nil })
    }

    @Test func `what is signed is method, path, query and the hash of the body, as RFC 9421 writes it`() {
        var request = DeviceRequest(method: "PUT", path: "/v1/me/payout?a=1", body: Array("{}".utf8))
        let text = String(decoding: RequestSignature(of: request, created: 1_760_000_000).base, as: UTF8.self)
        #expect(
            text == """
                "@method": PUT
                "@path": /v1/me/payout
                "@query": ?a=1
                "content-digest": sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:
                "@signature-params": ("@method" "@path" "@query" "content-digest");created=1760000000
                """)
        request = DeviceRequest(method: "GET", path: "/v1/me/data/1")
        let signature = RequestSignature(of: request, created: 1)
        #expect(signature.headers([1])["Content-Digest"] == nil)
        #expect(signature.headers([1])["Signature-Input"] == #"kit=("@method" "@path");created=1"#)
    }

    @Test func `a changed consent is signed at each try, later than the try before`() throws {
        let phone = try phone()
        phone.service = { $0.path == "/v1/me/consent" ? nil : Answers.willing($0) }
        try phone.take(.consented(ConsentChoice(purposes: ["measurement"], policyVersion: "2")))
        try phone.pass(10 * Self.minute)
        let tries = phone.requests.filter { $0.path == "/v1/me/consent" }
        #expect(tries.count > 2 && tries.allSatisfy { $0.signedAt != nil })
        #expect(zip(tries, tries.dropFirst()).allSatisfy { $0.signedAt! < $1.signedAt! })
    }

    @Test func `when the service finds the phone's clock wrong the next signature is of its time`() throws {
        let phone = try phone()
        for error: Int64 in [86_400, -3_600] {
            // The service's clock, seconds by which the phone's is behind.
            phone.service = { request in
                guard request.path == "/v1/me/data" else { return Answers.willing(request) }
                let age = VirtualPhone.start / 1_000 + phone.elapsed / 1_000 + error - request.signedAt!
                guard abs(age) > 300 else { return Self.taken }
                let body = """
                    {"type":"urn:nkul:problem:signature_expired","title":"x","status":403,"code":"signature_expired",
                    "detail":"created is \(age) s ago; at most 300 s either way"}
                    """
                return DeviceResponse(status: 403, body: Array(body.utf8))
            }
            let first = try #require(try phone.ask(.copyEverything))
            guard case .refused("signature_expired", _) = first else {
                Issue.record("\(first), by a clock that is \(error) s behind")
                continue
            }
            #expect(try phone.ask(.copyEverything) == .done(Self.taken.body))
            try phone.restart()
            try phone.wake()
            #expect(try phone.ask(.copyEverything) == .done(Self.taken.body))
        }
    }

    @Test func `who has everything erased is silent, and reads how it stands with the old token alone`() throws {
        let phone = try phone()
        try phone.pass(5 * Self.minute)
        phone.service = { $0.path.hasPrefix("/v1/me/erasures") ? Self.taken : Answers.willing($0) }
        #expect(try phone.ask(.eraseEverything) == .done(Self.taken.body))
        #expect(phone.facts.isEmpty && phone.state.end == .erased && phone.state.token == nil)
        let before = phone.requests.count
        try phone.restart()
        try phone.wake()
        try phone.pass(24 * 60 * Self.minute)
        #expect(phone.requests.count == before)
        #expect(try phone.ask(.copyEverything) == nil, "nobody is enrolled any more")
        phone.service = { _ in DeviceResponse(status: 200, body: Array(#"{"state":"pending"}"#.utf8)) }
        #expect(try phone.ask(.erasure("1a")) == .done(Array(#"{"state":"pending"}"#.utf8)))
        let last = try #require(phone.requests.last)
        #expect(last.headers["Authorization"] == "Bearer t" && last.signedAt == nil)
    }

    @Test func `an answer that was lost, a refusal and what is not there yet are told apart`() throws {
        let phone = try phone()
        phone.service = { _ in nil }
        #expect(try phone.ask(.copyEverything) == .noAnswer && phone.state.end == nil)
        phone.service = { _ in DeviceResponse(status: 202, retryAfter: 7, body: Self.taken.body) }
        #expect(try phone.ask(.copy("1")) == .notYet(Self.taken.body, seconds: 7))
        phone.service = { _ in Answers.problem(403, "no_rewards_consent") }
        #expect(
            try phone.ask(.payout(phone: "+1", operator: "62401")) == .refused(code: "no_rewards_consent", detail: nil))
        phone.service = { _ in Answers.problem(503, "busy", retryAfter: 9) }
        #expect(try phone.ask(.eraseEverything) == .later(seconds: 9) && phone.state.end == nil)
        // A hotel's page says 200 to everything, also that it has erased something.
        phone.service = { _ in DeviceResponse(status: 200, body: Array("<html>".utf8)) }
        #expect(try phone.ask(.eraseEverything) == .noAnswer && phone.state.end == nil)
    }

    @Test func `without a key nothing is signed, and nothing else is different`() throws {
        let phone = try phone(hasKey: false)
        phone.service = { _ in Self.taken }
        #expect(try phone.ask(.copyEverything) == .done(Self.taken.body))
        #expect(phone.requests.allSatisfy { $0.signedAt == nil })
        #expect((phone.requests.first { $0.path == "/v1/devices" }?.json as? [String: Any])?["device_key"] == nil)
    }
}
