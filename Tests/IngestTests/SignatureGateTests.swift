import Crypto
import Foundation
import HTTPTypes
import IngestUploads
import Testing
@testable import IngestSupport

/// The gate before calls that need a signature, asked over HTTP.
@Suite struct SignatureGateTests {
    private let path = "/v1/me/data"
    private let body = Array(#"{"scope":{"all":true}}"#.utf8)
    private let now = Reading.now / 1_000
    private let phone = SigningPhone()

    private func answer(
        _ bench: APIBench, _ fields: HTTPFields, _ method: HTTPRequest.Method = .post, path: String? = nil,
        body: [UInt8]? = nil
    ) async throws -> APIBench.Answer {
        try await bench.call(method, path ?? self.path, body ?? self.body, headers: fields)
    }

    @Test func `a device without a key needs no signature, one with a key does`() async throws {
        let bench = try await APIBench()
        let plain = try await bench.enrol()
        #expect(try await answer(bench, [.authorization: "Bearer \(plain)"]).status == 202)
        let token = try await bench.enrol(phone.enrolment)
        for (method, path): (HTTPRequest.Method, String) in [
            (.put, "/v1/me/payout"), (.post, "/v1/me/data"), (.get, "/v1/me/data/1"), (.post, "/v1/me/erasures"),
            (.get, "/v1/me/erasures/1"),
        ] {
            let refused = try await answer(bench, [.authorization: "Bearer \(token)"], method, path: path)
            #expect(refused.status == 403 && refused.code == "signature_required", "\(path)")
            #expect(refused.json["field"] as? String == "Signature")
        }
        #expect(try await answer(bench, phone.fields("POST", path, body, token: token)).status == 202)
        let query = "/v1/me/data/1?part=2"
        let fields = try phone.fields("GET", query, token: token)
        #expect(try await answer(bench, fields, .get, path: query, body: []).code == "not_found")
        #expect(try await bench.send(#"{"seq":1,"captured_at_ms":1760000000000}"#, token: token).status == 200)
    }

    @Test func `what is not as it was signed is refused`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(phone.enrolment)
        let good = try phone.fields("POST", path, body, token: token)
        func refused(_ fields: HTTPFields, path: String? = nil, body: [UInt8]? = nil) async throws -> [String?] {
            let answer = try await answer(bench, fields, path: path, body: body)
            return [answer.code, answer.json["field"] as? String]
        }
        let other = Array(#"{"scope":{"all":false}}"#.utf8)
        #expect(try await refused(good, body: other) == ["signature_invalid", "Content-Digest"])
        #expect(try await refused(good, path: "/v1/me/erasures") == ["signature_invalid", "Signature"])
        #expect(try await refused(good, path: path + "?x=1") == ["signature_invalid", "Signature-Input"])
        let stolen = try SigningPhone().fields("POST", path, body, token: token)
        #expect(try await refused(stolen) == ["signature_invalid", "Signature"])
        let method = try phone.fields("PUT", path, body, token: token)
        #expect(try await refused(method) == ["signature_invalid", "Signature"])
        for cover in [["@method", "@path"], ["@path", "content-digest"], ["@method", "content-digest"]] {
            let fields = try phone.fields("POST", path, body, token: token, cover: cover)
            #expect(try await refused(fields) == ["signature_invalid", "Signature-Input"], "\(cover)")
        }
        var newer = good
        newer[.signatureInput] = good[.signatureInput]!.replacing("created=", with: "created=1")
        #expect(try await refused(newer) == ["signature_expired", "Signature-Input"])
        newer[.signatureInput] = good[.signatureInput]!.replacing("\(now)", with: "\(now + 1)")
        #expect(try await refused(newer) == ["signature_invalid", "Signature"])
    }

    @Test func `a signature is good for five minutes before and behind now`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(phone.enrolment)
        for (created, more, code): (Int64, String, String) in [
            (now - 300, "", "not_found"), (now + 300, "", "not_found"),
            (now - 301, "", "signature_expired"), (now + 301, "", "signature_expired"),
            (.min / 10_000, "", "signature_expired"), (now - 9, ";expires=\(now - 1)", "signature_expired"),
            (now - 9, ";expires=\(now)", "not_found"),
            (now, ";alg=\"ecdsa-p256-sha256\";nonce=\"x\";keyid=\"k\"", "not_found"),
            (now, ";alg=\"hmac-sha256\"", "signature_invalid"),
        ] {
            let one = path + "/1", fields = try phone.fields("GET", one, token: token, created: created, more: more)
            #expect(try await answer(bench, fields, .get, path: one, body: []).code == code, "\(created) \(more)")
        }
    }

    @Test(arguments: [
        ("sig1=", ":AAAA:"), ("", ""), ("sig1=(\"@method\")", "sig1=:AAAA:"), ("sig1=1", "sig1=:AAAA:"),
        ("sig1=(\"@method\" \"@method\");created=1760000000", "sig1=:AAAA:"),
        ("sig1=(\"@method\";req);created=1760000000", "sig1=:AAAA:"),
        ("sig1=(\"@method\" \"@path\" \"content-digest\");created=1760000000", "sig2=:AAAA:"),
        ("sig1=(\"@method\" \"@path\" \"content-digest\");created=1760000000", "sig1=:A:"),
        ("sig1=(\"@method\" \"@path\" \"content-digest\");created=1760000000", "sig1=:AAAA:"),
        ("sig1=(\"@method\" \"@path\" \"x-none\" \"content-digest\");created=1760000000", "sig1=:AAAA:"),
        ("sig1=(\"@method\" \"@path\" 1);created=1760000000", "sig1=:AAAA:"),
    ])
    func `nonsense is refused as nonsense`(input: String, signature: String) async throws {
        let bench = try await APIBench(), token = try await bench.enrol(phone.enrolment)
        var fields = try phone.fields("POST", path, body, token: token)
        fields[.signatureInput] = input
        fields[.signature] = signature
        let answer = try await answer(bench, fields)
        #expect(answer.status == 403 && (answer.code == "signature_invalid" || input.isEmpty), "\(answer.text)")
    }

    @Test func `a key is read as iOS and as Android give it, and nothing else is a key`() {
        let key = P256.Signing.PrivateKey().publicKey, point = [UInt8](key.x963Representation)
        let text = key.x963Representation.base64EncodedString()
        #expect(DeviceKey.read(text) == point)
        #expect(
            DeviceKey.read(text.replacing("=", with: "").replacing("+", with: "-").replacing("/", with: "_")) == point)
        #expect(DeviceKey.read(key.derRepresentation.base64EncodedString()) == point)
        var offCurve = point
        offCurve[64] ^= 1
        let wrong = [
            "", "AAAA", "=", Data(offCurve).base64EncodedString(), Data(point.dropLast()).base64EncodedString(),
            P384.Signing.PrivateKey().publicKey.derRepresentation.base64EncodedString(),
            String(repeating: "A", count: 500),
        ]
        for text in wrong { #expect(DeviceKey.read(text) == nil, "\(text)") }
    }
}
