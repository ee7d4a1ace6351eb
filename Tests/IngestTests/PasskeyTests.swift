import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import IngestUploads
import Testing

@testable import IngestAPI
@testable import IngestSupport

/// An authenticator and its browser, written from the standard (WebAuthn level 2): it shares no code with ingest.
private struct TestAuthenticator {
    enum Key {
        case es256(P256.Signing.PrivateKey)
        case rs256(_RSA.Signing.PrivateKey)
    }

    let key: Key
    var origin = "https://nkul.example"
    var relyingParty = "nkul.example"
    var flags: UInt8 = 0b101
    var crossOrigin = false

    private func url(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    func client(_ type: String, _ challenge: String) -> [UInt8] {
        Array(
            #"{"type":"\#(type)","challenge":"\#(challenge)","origin":"\#(origin)","crossOrigin":\#(crossOrigin)}"#.utf8
        )
    }

    func data(_ count: UInt32, isNew: Bool = false) -> [UInt8] {
        let hash = Array(SHA256.hash(data: Data(relyingParty.utf8)))
        let number = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * UInt32($0))) }
        let credential = [UInt8](repeating: 9, count: 16 + 2 + 16 + 77)
        return hash + [isNew ? flags | 64 : flags] + number + (isNew ? credential : [])
    }

    private var publicKey: [UInt8] {
        switch key {
        case .es256(let key): [UInt8](key.publicKey.derRepresentation)
        case .rs256(let key): [UInt8](key.publicKey.derRepresentation)
        }
    }

    private func sign(_ bytes: [UInt8]) throws -> [UInt8] {
        switch key {
        case .es256(let key): [UInt8](try key.signature(for: bytes).derRepresentation)
        case .rs256(let key):
            [UInt8](try key.signature(for: bytes, padding: .insecurePKCS1v1_5).rawRepresentation)
        }
    }

    func made(_ challenge: String, count: UInt32 = 0, algorithm: Int? = nil) -> String {
        let number: Int = if case .es256 = key { -7 } else { -257 }
        return """
            {"client_data":"\(url(client("webauthn.create", challenge)))",
            "authenticator_data":"\(url(data(count, isNew: true)))","public_key":"\(url(publicKey))",
            "algorithm":\(algorithm ?? number)}
            """
    }

    func use(_ challenge: String, count: UInt32, type: String = "webauthn.get") throws -> String {
        let client = client(type, challenge), data = data(count)
        let signature = try sign(data + Array(SHA256.hash(data: client)))
        return [("client-data", client), ("authenticator-data", data), ("signature", signature)]
            .map { "\($0.0)=:\(Data($0.1).base64EncodedString()):" }.joined(separator: ", ")
    }
}

@Suite struct PasskeyTests {
    private let phone = TestAuthenticator(key: .es256(P256.Signing.PrivateKey()))
    private let path = "/v1/me/passkey"

    private func bench() async throws -> (APIBench, token: String) {
        let bench = try await APIBench(passkeys: PasskeyOrigin(text: "https://nkul.example"))
        return (bench, try await bench.enrol())
    }

    private func challenge(_ bench: APIBench, _ token: String) async throws -> String {
        let answer = try await bench.call(.post, path, headers: [.authorization: "Bearer \(token)"])
        #expect(answer.status == 201 && answer.json["rp_id"] as? String == "nkul.example")
        return try #require(answer.json["challenge"] as? String)
    }

    private func turnOn(_ bench: APIBench, _ token: String, _ body: String) async throws -> APIBench.Answer {
        try await bench.call(.put, path, Array(body.utf8), headers: [.authorization: "Bearer \(token)"])
    }

    private func copy(_ bench: APIBench, _ token: String, _ use: String?) async throws -> APIBench.Answer {
        var headers: HTTPFields = [.authorization: "Bearer \(token)"]
        headers[HTTPField.Name("Nkul-Passkey")!] = use
        return try await bench.call(.post, "/v1/me/data", headers: headers)
    }

    private func erase(_ bench: APIBench, _ token: String, _ use: String?) async throws -> APIBench.Answer {
        var headers: HTTPFields = [.authorization: "Bearer \(token)"]
        headers[HTTPField.Name("Nkul-Passkey")!] = use
        return try await bench.call(
            .post, "/v1/me/erasures", Array(#"{"scope":{"all":true}}"#.utf8), headers: headers)
    }

    @Test func `nothing is asked for before it is turned on, then copy and erasure need it, by P-256 and by RSA`()
        async throws
    {
        let keys: [TestAuthenticator.Key] = [
            .es256(P256.Signing.PrivateKey()), .rs256(try _RSA.Signing.PrivateKey(keySize: .bits2048)),
        ]
        for key in keys {
            let (bench, token) = try await bench(), phone = TestAuthenticator(key: key)
            #expect(try await copy(bench, token, nil).status == 202)
            let made = phone.made(try await challenge(bench, token))
            let on = try await turnOn(bench, token, made)
            #expect(on.status == 200 && on.json["is_on"] as? Bool == true && on.json["made_at_ms"] != nil)
            #expect(try await copy(bench, token, nil).code == "passkey_required")
            #expect(try await erase(bench, token, nil).code == "passkey_required")
            #expect(try await copy(bench, token, phone.use(challenge(bench, token), count: 1)).status == 202)
            #expect(try await erase(bench, token, phone.use(challenge(bench, token), count: 2)).status == 202)
        }
    }

    @Test func `a challenge counts once, for its device, for five minutes, and only the newest`() async throws {
        let now = TestNow()
        let bench = try await APIBench(
            passkeys: PasskeyOrigin(text: "https://nkul.example"), now: { now.time })
        let token = try await bench.enrol(), other = try await bench.enrol()
        #expect(try await turnOn(bench, token, phone.made(challenge(bench, token))).status == 200)
        let first = try await challenge(bench, token), use = try phone.use(first, count: 1)
        #expect(try await copy(bench, token, use).status == 202)
        #expect(try await copy(bench, token, use).code == "passkey_invalid")
        #expect(try await copy(bench, token, phone.use(first, count: 2)).code == "passkey_invalid")
        let older = try await challenge(bench, token)
        _ = try await challenge(bench, token)
        #expect(try await copy(bench, token, phone.use(older, count: 3)).code == "passkey_invalid")
        let foreign = try await challenge(bench, other)
        #expect(try await copy(bench, token, phone.use(foreign, count: 4)).code == "passkey_invalid")
        // A try that fails uses it up, too.
        let spoiled = try await challenge(bench, token)
        #expect(try await copy(bench, token, "client-data=:e30=:").code == "passkey_invalid")
        #expect(try await copy(bench, token, phone.use(spoiled, count: 5)).code == "passkey_invalid")
        let late = try await challenge(bench, token)
        now.pass(300_000)
        #expect(try await copy(bench, token, phone.use(late, count: 6)).code == "passkey_invalid")
        #expect(try await copy(bench, token, phone.use(challenge(bench, token), count: 7)).status == 202)
    }

    @Test func `what is not of this place, this person, this passkey or this kind is refused, and says why`()
        async throws
    {
        let (bench, token) = try await bench()
        #expect(try await turnOn(bench, token, phone.made(challenge(bench, token))).status == 200)
        var wrong: [(TestAuthenticator, String)] = []
        func change(_ problem: String, _ body: (inout TestAuthenticator) -> Void) {
            var changed = phone
            body(&changed)
            wrong.append((changed, problem))
        }
        change("its origin is not") { $0.origin = "https://nkul.example.evil" }
        change("its origin is not") { $0.origin = "http://nkul.example" }
        change("its origin is not") { $0.crossOrigin = true }
        change("it is not of nkul.example") { $0.relyingParty = "evil.example" }
        change("it was not verified who is there") { $0.flags = 0b001 }
        change("it was not verified who is there") { $0.flags = 0b100 }
        wrong.append((TestAuthenticator(key: .es256(P256.Signing.PrivateKey())), "signature is not by the passkey"))
        for (authenticator, problem) in wrong {
            let answer = try await copy(bench, token, authenticator.use(challenge(bench, token), count: 9))
            #expect(answer.status == 403 && answer.code == "passkey_invalid")
            #expect((answer.json["detail"] as? String)?.hasPrefix(problem) == true, "\(answer.text)")
            #expect(answer.json["field"] as? String == "Nkul-Passkey")
        }
        let made = try await phone.use(challenge(bench, token), count: 9, type: "webauthn.create")
        #expect(try await copy(bench, token, made).code == "passkey_invalid")
        // One bit of what was signed.
        let good = try await phone.use(challenge(bench, token), count: 9)
        let altered = good.replacing(
            Data(phone.data(9)).base64EncodedString(), with: Data(phone.data(10)).base64EncodedString())
        #expect(altered != good)
        #expect(try await copy(bench, token, altered).code == "passkey_invalid")
        for junk in ["", "x", "client-data=1", "client-data=:!:", String(repeating: "a=1,", count: 50)] {
            #expect(try await copy(bench, token, junk).status == 403, "\(junk)")
        }
    }

    @Test func `a passkey whose count did not rise is a copy of it`() async throws {
        let (bench, token) = try await bench()
        #expect(try await turnOn(bench, token, phone.made(challenge(bench, token), count: 5)).status == 200)
        for (count, status): (UInt32, Int) in [(5, 403), (6, 202), (6, 403), (4, 403), (0, 403), (7, 202)] {
            let answer = try await copy(bench, token, phone.use(challenge(bench, token), count: count))
            #expect(answer.status == status, "\(count): \(answer.text)")
        }
        // One that counts nothing says 0 each time.
        let (silent, other) = try await self.bench()
        #expect(try await turnOn(silent, other, phone.made(challenge(silent, other))).status == 200)
        for _ in 0..<2 {
            #expect(try await copy(silent, other, phone.use(challenge(silent, other), count: 0)).status == 202)
        }
    }

    @Test func `it is turned off by itself alone, and not replaced before`() async throws {
        let (bench, token) = try await bench(), thief = TestAuthenticator(key: .es256(P256.Signing.PrivateKey()))
        #expect(try await turnOn(bench, token, phone.made(challenge(bench, token))).status == 200)
        #expect(try await turnOn(bench, token, thief.made(challenge(bench, token))).code == "passkey_required")
        func turnOff(_ use: String?) async throws -> APIBench.Answer {
            var headers: HTTPFields = [.authorization: "Bearer \(token)"]
            headers[HTTPField.Name("Nkul-Passkey")!] = use
            return try await bench.call(.delete, path, headers: headers)
        }
        #expect(try await turnOff(nil).code == "passkey_required")
        #expect(try await turnOff(thief.use(challenge(bench, token), count: 1)).code == "passkey_invalid")
        #expect(try await turnOff(phone.use(challenge(bench, token), count: 1)).json["is_on"] as? Bool == false)
        #expect(try await copy(bench, token, nil).status == 202)
        #expect(try await turnOn(bench, token, thief.made(challenge(bench, token))).status == 200)
    }

    @Test(arguments: [
        (#""algorithm":-7"#, #""algorithm":-8"#, 422, "out_of_range"),
        (#""algorithm":-7"#, #""algorithm":-257"#, 422, "bad_format"),
        (##""public_key":"M"##, ##""public_key":"+"##, 422, "bad_format"),
        (#""public_key""#, #""key""#, 422, "missing_field"),
        (#""authenticator_data":""#, #""authenticator_data":"AAAA"#, 403, "passkey_invalid"),
    ])
    func `one that cannot be is refused by name`(old: String, new: String, status: Int, code: String) async throws {
        let (bench, token) = try await bench()
        let made = phone.made(try await challenge(bench, token)).replacing(old, with: new)
        let answer = try await turnOn(bench, token, made)
        #expect(answer.status == status && answer.code == code, "\(answer.text)")
    }

    @Test func `where it is off nothing is asked for, and nobody is kept from their rights`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let headers: HTTPFields = [.authorization: "Bearer \(token)"]
        let told = try await bench.call(.get, path, headers: headers)
        #expect(told.text == #"{"origin":null,"rp_id":null,"is_on":false}"#)
        #expect(try await bench.call(.post, path, headers: headers).status == 404)
        #expect(try await copy(bench, token, "junk").status == 202)
    }

    @Test func `challenges are bounded, and the oldest make room once they are over`() throws {
        let challenges = PasskeyChallenges(limit: 2)
        for device: UInt64 in [1, 2, 1] { _ = try challenges.make(for: device, now: 0) }
        #expect(throws: DeviceAPIError.busy) { try challenges.make(for: 3, now: PasskeyChallenges.life - 1) }
        _ = try challenges.make(for: 3, now: PasskeyChallenges.life)
        #expect(challenges.take(of: 1, now: PasskeyChallenges.life) == nil)
        #expect(challenges.take(of: 3, now: PasskeyChallenges.life) != nil)
    }

    @Test(arguments: [
        ("https://nkul.example", "nkul.example"), ("https://NKUL.example:8443", "nkul.example"),
        ("http://localhost:8080", "localhost"), ("http://nkul.example", nil), ("https://127.0.0.1", nil),
        ("https://nkul.example/", nil), ("https://nkul.example:0", nil), ("https://", nil), ("nkul.example", nil),
        ("https://user@nkul.example", nil), ("https://nkul.example:99999", nil), ("https://.example", nil),
    ])
    func `an origin is one for which browsers make passkeys`(text: String, party: String?) {
        #expect(PasskeyOrigin(text: text)?.relyingParty == party)
    }
}

/// A time that tests move.
private final class TestNow: @unchecked Sendable {
    private let lock = NSLock()
    private var now = Reading.now

    var time: Int64 { lock.withLock { now } }
    func pass(_ milliseconds: Int64) { lock.withLock { now += milliseconds } }
}
