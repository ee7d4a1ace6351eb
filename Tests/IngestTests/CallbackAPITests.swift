import Crypto
import Foundation
import HTTPTypes
import IngestCommands
import IngestCommit
import IngestSupport
import IngestUploads
import Models
import ProviderEmulators
import Testing
import Wire

/// Providers of rewards call back.
@Suite struct CallbackAPITests {
    private static let secret = "00112233445566778899aabbccddeeff"
    private let reference = "0f1e2d3c4b5a49788796a5b4c3d2e1f0"

    private static func path(_ provider: String, _ secret: String = Self.secret) -> String {
        "/v1/callbacks/\(provider)/\(secret)"
    }

    /// A bench whose dispatcher has told that a provider calls.
    private func bench(_ provider: String = "momo") async throws -> APIBench {
        let bench = try await APIBench()
        #expect(try bench.knownCallback(provider, Self.secret) == Self.path(provider))
        return bench
    }

    private func told(_ bench: APIBench) throws -> [ProviderCallbackDocument] {
        try bench.documents(.providerCallback, on: .requests, as: ProviderCallbackDocument.self)
    }

    @Test(arguments: EmulatedProvider.Dialect.allCases)
    func `each provider's call names its order to the dispatcher, and says nothing else`(
        dialect: EmulatedProvider.Dialect
    ) async throws {
        let emulator = EmulatedProvider(dialect, clock: { 0 })
        let path = Self.path(dialect.rawValue), bench = try await bench(dialect.rawValue)
        try order(from: emulator)
        let call = try #require(emulator.callback(about: reference, to: path))
        let method = try #require(HTTPRequest.Method(rawValue: call.method))
        let type = try #require(call.headers["content-type"])
        let answer = try await bench.call(method, path, Array(call.body), headers: [.contentType: type])
        #expect(answer.status == 200)
        #expect(
            answer.text == #"{"accepted_at":"2025-10-09T08:53:20.000Z","accepted_at_ms":1760000000000}"#)
        let told = try #require(try told(bench).first)
        #expect(told.provider == dialect.rawValue)
        #expect(told.reference == (dialect == .africastalking ? nil : reference))
        let names: [EmulatedProvider.Dialect: String] = [
            .reloadly: "1000", .dtone: "1000", .africastalking: "ATQid_1000",
        ]
        #expect(told.providerID == names[dialect])
    }

    /// Has the provider take up an order under ``reference``.
    private func order(from emulator: EmulatedProvider) throws {
        let uuid = "0f1e2d3c-4b5a-4978-8796-a5b4c3d2e1f0"
        let bodies: [EmulatedProvider.Dialect: (path: String, body: String)] = [
            .reloadly: (
                "/topups",
                """
                {"operatorId": 341, "amount": 50, "customIdentifier": "\(reference)",
                 "recipientPhone": {"countryCode": "CM", "number": "237670000001"}}
                """
            ),
            .dtone: (
                "/async/transactions",
                """
                {"external_id": "\(reference)", "product_id": 341, "auto_confirm": true, "destination": {"amount": 50},
                 "credit_party_identifier": {"mobile_number": "+237670000001"}}
                """
            ),
            .momo: (
                "/disbursement/v1_0/transfer",
                #"{"amount": "50", "currency": "XAF", "payee": {"partyIdType": "MSISDN", "partyId": "237670000001"}}"#
            ),
            .africastalking: (
                "/version1/airtime/send",
                #"username=nkul&recipients=[{"phoneNumber":"%2B237670000001","amount":"XAF 50"}]"#
            ),
        ]
        let token = ["reloadly": "/oauth/token", "momo": "/disbursement/token/"][emulator.dialect.rawValue]
        if let token {
            _ = emulator.receive(
                EmulatedRequest(
                    method: "POST", target: token,
                    headers: ["Authorization": "Basic eA==", "Ocp-Apim-Subscription-Key": "p"],
                    body: Data(#"{"grant_type": "client_credentials", "client_id": "i"}"#.utf8)))
        }
        let (path, body) = try #require(bodies[emulator.dialect])
        let authorization = emulator.dialect == .dtone ? "Basic eA==" : "Bearer token-1"
        _ = try #require(
            emulator.receive(
                EmulatedRequest(
                    method: "POST", target: path,
                    headers: [
                        "Authorization": authorization, "Ocp-Apim-Subscription-Key": "p",
                        "X-Target-Environment": "sandbox",
                        "X-Reference-Id": uuid, "apiKey": "a", "Idempotency-Key": reference,
                    ], body: Data(body.utf8))))
        try #require(emulator.books.order(reference) != nil)
    }

    @Test func `whoever does not know the secret finds nothing, and is counted as a stranger who guesses`() async throws
    {
        let bench = try await bench(), body = Array(#"{"externalId":"\#(reference)"}"#.utf8)
        let wrong = [
            Self.path("momo", String(repeating: "0", count: 32)), Self.path("momo", Self.secret.uppercased()),
            Self.path("dtone"), Self.path("sandbox"),
        ]
        for path in wrong {
            let answer = try await bench.call(.post, path, body)
            #expect(answer.status == 404 && answer.code == "not_found", "\(path)")
        }
        for path in ["/v1/callbacks/momo", "/v1/callbacks/momo/", "/v1/callbacks//x", "/v1/callbacks/a/b/c"] {
            #expect(try await bench.raw("POST", path, body).status == 404, "\(path)")
        }
        #expect(try await bench.call(.get, Self.path("momo")).status == 405)
        #expect(try told(bench).isEmpty)
    }

    @Test(arguments: [
        ("{", "malformed"), ("[1]", "not_an_object"), ("", "malformed"), ("hello", "malformed"),
        ("{}", "missing_field"),
        ("status=Success", "missing_field"), (#"{"externalId":"spring-7"}"#, "missing_field"),
        (#"{"externalId":{"a":1},"requestId":[]}"#, "missing_field"),
        (#"{"requestId":"with a blank"}"#, "missing_field"),
    ])
    func `a call that names no order is told what is wrong, and nothing comes of it`(body: String, code: String)
        async throws
    {
        let bench = try await bench()
        let answer = try await bench.call(.post, Self.path("momo"), Array(body.utf8))
        #expect(answer.status == 422 && answer.code == code)
        #expect(try told(bench).isEmpty)
    }

    @Test func `long names, long bodies and compressed ones are refused`() async throws {
        let bench = try await bench(), path = Self.path("momo")
        let long = String(repeating: "x", count: ProviderCallbackDocument.mostCharacters + 1)
        #expect(try await bench.call(.post, path, Array(#"{"requestId":"\#(long)"}"#.utf8)).status == 422)
        let huge = Array(#"{"externalId":"\#(reference)","x":"\#(String(repeating: "x", count: 200_000))"}"#.utf8)
        #expect(try await bench.call(.post, path, huge).status == 413)
        let packed = try await bench.call(
            .post, path, Array("x".utf8), headers: [HTTPField.Name("Content-Encoding")!: "gzip"])
        #expect(packed.status == 415)
        #expect(try told(bench).isEmpty)
    }

    @Test func `what comes twice is told twice, and a full lane refuses before anything is said`() async throws {
        let bench = try await bench(), body = Array(#"{"externalId":"\#(reference)"}"#.utf8)
        for _ in 1...2 { #expect(try await bench.call(.put, Self.path("momo"), body).status == 200) }
        #expect(try told(bench).count == 2)
        let full = try EngineBench(requestsLimit: 1)
        let document = ProviderCallbackDocument(provider: "momo", reference: reference, providerID: nil)
        func commit() throws -> Result<UnixMilliseconds, DeviceAPIError> {
            try full.engine.commit([], commands: [CallbackChange(document)], now: Reading.now)
                .answers(to: CallbackChange.self)[0]
        }
        #expect(throws: Never.self) { try commit().get() }
        let outcome = try commit()
        #expect(throws: DeviceAPIError.full(.requests)) { try outcome.get() }
    }
}

extension APIBench {
    /// Has the dispatcher tell that a provider calls; the path.
    func knownCallback(_ provider: String = "momo", _ secret: String = "00112233445566778899aabbccddeeff") throws
        -> String
    {
        let hash = Hexadecimal.text(SHA256.hash(data: Data(secret.utf8)))
        let document = try JSONEncoder().encode(CallbackSecretDocument(provider: provider, sha256: hash))
        try copies.take(
            copies.block(.rewards, .callbackSecret, [CopiesBench.Record(key: provider, document: Array(document))]))
        return "\(CallbackSecretDocument.path(of: provider))/\(secret)"
    }
}
