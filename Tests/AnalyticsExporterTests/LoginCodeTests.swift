import Channels
import Foundation
import HTTPTypes
import Hummingbird
import Models
import ServiceKit
import Storage
import TemporaryFiles
import Testing

@testable import AnalyticsExporter
@testable import ExporterAPI
@testable import ExporterSupport

/// Log-ins by a code that was sent to the contact.
@Suite struct LoginCodeTests {
    private let contact = SecretDigest(of: "token")

    // MARK: - Codes

    @Test func `a code is good once, for five minutes and for five tries`() {
        let codes = LoginCodes()
        #expect(codes.reserve(for: contact, now: 0))
        #expect(!codes.use("000000", of: contact, now: 0), "none is sent yet")
        codes.put("123456", for: contact)
        #expect(codes.use("123456", of: contact, now: 299_999) && !codes.use("123456", of: contact, now: 1))
        #expect(codes.reserve(for: contact, now: 0))
        codes.put("123456", for: contact)
        #expect(!codes.use("123456", of: contact, now: 300_000))
        for _ in 0..<4 { #expect(!codes.use("000000", of: contact, now: 1)) }
        #expect(!codes.use("", of: contact, now: 1) && !codes.use("123456", of: contact, now: 1), "after five tries")
        #expect(!codes.use("123456", of: nil, now: 1) && !codes.use("123456", of: SecretDigest(of: "x"), now: 1))
    }

    @Test func `a contact is sent one a minute and five an hour, until it logs in`() {
        let codes = LoginCodes(), minute: Int64 = 60_000
        #expect(codes.reserve(for: contact, now: 0) && !codes.reserve(for: contact, now: minute - 1))
        for number in 1..<5 { #expect(codes.reserve(for: contact, now: Int64(number) * minute)) }
        #expect(!codes.reserve(for: contact, now: 59 * minute) && codes.reserve(for: contact, now: 60 * minute))
        codes.put("123456", for: contact)
        #expect(codes.use("123456", of: contact, now: 60 * minute) && codes.reserve(for: contact, now: 60 * minute))
        // A clock that is set back locks nobody out.
        #expect(codes.reserve(for: contact, now: -minute))
    }

    @Test func `a new code ends the one before, and codes are six digits`() {
        let codes = LoginCodes()
        #expect(codes.reserve(for: contact, now: 0))
        codes.put("123456", for: contact)
        #expect(codes.reserve(for: contact, now: 60_000) && !codes.use("123456", of: contact, now: 60_000))
        let some = Set((0..<1_000).map { _ in LoginCodes.make() })
        #expect(some.count > 900 && some.allSatisfy { $0.utf8.count == 6 && $0.allSatisfy(\.isNumber) })
    }

    @Test func `what is waited for hides how long the work took`() {
        for (worked, rest) in [(1, 499), (499, 1), (500, 0), (501, 499)] {
            #expect(LoginService.rest(after: .milliseconds(worked)) == .milliseconds(rest))
        }
    }

    // MARK: - Calls

    private func send(_ exporter: TestExporter, _ path: String, _ body: String) async throws
        -> (status: HTTPResponse.Status, headers: HTTPFields, json: JSONValue)
    {
        let response = await exporter.request(.post, path, headers: [:], body: body)
        return (response.status, response.headers, (try? JSONValue(bytes: try await response.bytes())) ?? .null)
    }

    private func published(_ exporter: TestExporter, _ kind: String) throws -> [String] {
        try exporter.worker.published().filter { $0.hasPrefix(kind + " ") }
    }

    @Test func `a code travels sealed to the notifier, opens one session, and everything is audited`() async throws {
        let directory = try TemporaryDirectory(), key = RecipientSeal.newKey()
        let exporter = try TestExporter(directory)
        _ = try await exporter.tenant("harbour", ["62401"])
        _ = try await exporter.contactCalls.add(["tenant": "harbour", "name": "ann", "role": "viewer"])
        let none = try await send(exporter, "/v1/session/code", #"{"contact":"ann"}"#)
        #expect(none.status == .serviceUnavailable && none.json["code"] == "no_notifier")
        try exporter.giveNotifierKey(key)
        let sent = try await send(exporter, "/v1/session/code", #"{"contact":"ann"}"#)
        #expect(sent.status == .accepted && sent.json == ["valid_seconds": 300])
        let record = try #require(try published(exporter, "login_code").first)
        let document = try JSONDecoder().decode(
            LoginCodeDocument.self, from: Data(record.dropFirst("login_code harbour/ann ".count).utf8))
        let code = try #require(LoginCodeSeal.open(document) { _ in key })
        #expect(code.utf8.count == 6 && !record.contains(code))
        let wrong = try await send(exporter, "/v1/session", #"{"contact":"ann","code":"x"}"#)
        #expect(wrong.status == .unauthorized && wrong.json["code"] == "wrong_code" && wrong.json["field"] == "code")
        let opened = try await send(exporter, "/v1/session", #"{"contact":"ann","tenant":"harbour","code":"\#(code)"}"#)
        let cookie = try #require(opened.headers[.setCookie].map { String($0.prefix { $0 != ";" }) })
        #expect(opened.status == .noContent)
        let shown = await exporter.request(.get, "/v1/session", headers: [.cookie: cookie])
        #expect(try JSONValue(bytes: try await shown.bytes())["contact"] == "ann")
        #expect(
            try await send(exporter, "/v1/session", #"{"contact":"ann","code":"\#(code)"}"#).status == .unauthorized)
        #expect(try published(exporter, "login_code").last == "login_code harbour/ann gone")
        let acts = try exporter.worker.acts().map { $0.contains("code_sent") ? "sent" : "used" }
        #expect(acts == ["sent", "used"])
    }

    @Test func `whether there is such a contact is told by nothing`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        try exporter.giveNotifierKey()
        for tenant in ["harbour", "hill"] {
            _ = try await exporter.tenant(tenant, [tenant == "hill" ? "62401" : "62402"])
            _ = try await exporter.contactCalls.add([
                "tenant": .string(tenant), "name": "ann", "role": "engineer",
            ])
        }
        let known = try await send(exporter, "/v1/session/code", #"{"contact":"ann","tenant":"hill"}"#)
        for body in [#"{"contact":"bob"}"#, #"{"contact":"ann"}"#, #"{"contact":"ann","tenant":"hill"}"#] {
            let other = try await send(exporter, "/v1/session/code", body)
            #expect(
                other.status == known.status && other.json == known.json && other.headers == known.headers, "\(body)")
        }
        #expect(try published(exporter, "login_code").count == 1)
        let shown = try await exporter.contactCalls.failures([:]).array ?? []
        #expect(Set(shown.compactMap { $0["reason"]?.string }) == ["unknown_contact", "code_too_soon"])
        for body in [#"{"contact":"bob","code":"123456"}"#, #"{"contact":"ann","tenant":"hill","code":"x"}"#] {
            #expect(try await send(exporter, "/v1/session", body).json["code"] == "wrong_code")
        }
    }

    @Test func `who asks or guesses again and again waits`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        try exporter.giveNotifierKey()
        for _ in 0...LoginBrake.freeFailures {
            let guess = try await send(exporter, "/v1/session", #"{"contact":"bob","code":"123456"}"#)
            #expect(guess.status == .unauthorized)
        }
        for (path, body) in [
            ("/v1/session", #"{"contact":"bob","code":"123456"}"#), ("/v1/session/code", #"{"contact":"bob"}"#),
        ] {
            let slowed = try await send(exporter, path, body)
            #expect(slowed.status == .tooManyRequests && slowed.headers[.retryAfter] == "1")
        }
    }

    @Test(arguments: [
        (#"{"token":1}"#, "token"), (#"{}"#, "token"), (#"{"contact":"ann"}"#, "code"),
        (#"{"contact":1,"code":"1"}"#, "contact"), (#"{"contact":"ann","code":"1","tenant":1}"#, "tenant"),
    ])
    func `a log-in that is none is refused by its member`(body: String, field: String) async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let refused = try await send(exporter, "/v1/session", body)
        #expect(refused.status == .badRequest && refused.json["field"]?.string == field, "\(refused.json)")
    }
}
