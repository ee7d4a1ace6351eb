import Channels
import Crypto
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

/// Rules and channels as managers set them, and what contacts set for themselves.
@Suite struct ManagedDocumentsTests {
    private typealias House = AlarmCommandTests.House

    /// A rule; `more` are members behind its own.
    static func rule(_ more: String = "") -> String {
        #"{"version":1,"kind":"count","metric":"event","bad":["no_service"],"window_s":900,"set":3,"clear":0,"#
            + #""hold_set_s":0,"hold_clear_s":900,"level":10,"severity":"major","type":"communicationsAlarm","#
            + #""cause":"lossOfSignal","text":"no service"\#(more)}"#
    }

    private static func send(
        _ house: House, _ method: HTTPRequest.Method, _ path: String, _ body: String = "", as token: String
    ) async throws -> (status: HTTPResponse.Status, json: JSONValue) {
        let response = await house.exporter.request(method, path, headers: TestExporter.bearer(token), body: body)
        return (response.status, (try? JSONValue(bytes: try await response.bytes())) ?? .null)
    }

    private static func published(_ house: House, _ kind: String) throws -> [String] {
        try house.exporter.worker.published().filter { $0.hasPrefix(kind + " ") }
    }

    @Test func `a tenant's rule looks at what the tenant owns, and says so on the lane`() async throws {
        let directory = try TemporaryDirectory()
        let house = try await House(directory)
        let set = try await Self.send(house, .put, "/v1/rules/outage", Self.rule(), as: house.orange)
        #expect(set.status == .created && set.json["document"]?["scope"]?["owners"] == ["plmn:62402"])
        let again = try await Self.send(
            house, .put, "/v1/rules/outage", Self.rule(#","scope":{"owners":["plmn:62402"]}"#), as: house.orange)
        #expect(again.status == .ok)
        let published = try Self.published(house, "rule")
        #expect(published.count == 2 && published.allSatisfy { $0.contains(#""owners":["plmn:62402"]"#) })
        #expect(try await Self.send(house, .get, "/v1/rules", as: house.orange).json["rules"]?.array?.count == 1)
        #expect(try await Self.send(house, .get, "/v1/rules", as: house.mtn).json["rules"] == [])
        // The regulator reaches it, and it stays the tenant's.
        let regulator = house.exporter.token
        #expect(try await Self.send(house, .put, "/v1/rules/outage", Self.rule(), as: regulator).status == .ok)
        #expect(try Self.published(house, "rule").last?.contains(#""owners":["plmn:62402"]"#) == true)
        #expect(try await Self.send(house, .get, "/v1/rules/outage", as: house.orange).status == .ok)
        #expect(try await Self.send(house, .delete, "/v1/rules/outage", as: house.orange).status == .noContent)
        #expect(try Self.published(house, "rule").last == "rule outage gone")
    }

    @Test(arguments: [
        (#","scope":{"owners":["plmn:62401"]}"#, "scope.owners[0]"), (#","colour":"red""#, "colour"),
        (#","lateness_s":-1"#, "lateness_s"),
    ])
    func `what is no rule of the tenant is refused by the name of its member, and nothing is set`(
        more: String, field: String
    ) async throws {
        let directory = try TemporaryDirectory()
        let house = try await House(directory)
        let (status, problem) = try await Self.send(house, .put, "/v1/rules/mine", Self.rule(more), as: house.orange)
        #expect(status == .unprocessableContent && problem["field"]?.string == field, "\(problem)")
        #expect(problem["detail"]?.string?.contains("expected") == true)
        #expect(try Self.published(house, "rule").isEmpty)
    }

    @Test func `rules and channels are for managers, and names of others are not there`() async throws {
        let directory = try TemporaryDirectory()
        let house = try await House(directory)
        for path in ["/v1/rules", "/v1/channels", "/v1/rules/x", "/v1/channels/x"] {
            #expect(try await Self.send(house, .get, path, as: house.ann).status == .forbidden)
        }
        #expect(try await Self.send(house, .put, "/v1/rules/x", Self.rule(), as: house.ann).status == .forbidden)
        for name in [
            "built-in.latency", "urgent", "erasure.late", "rewards.float", "alarms.flood", "sensor", "sensor.tamper",
        ] {
            #expect(
                try await Self.send(house, .put, "/v1/rules/\(name)", Self.rule(), as: house.orange).status == .notFound
            )
        }
        let long = String(repeating: "x", count: 65)
        let refused = try await Self.send(house, .put, "/v1/rules/\(long)", Self.rule(), as: house.orange)
        #expect(refused.status == .unprocessableContent && refused.json["field"] == "id")
        #expect(try Self.published(house, "rule").isEmpty)
    }

    @Test func `secrets of a channel are sealed to the notifier's key, and never shown`() async throws {
        let directory = try TemporaryDirectory()
        let house = try await House(directory), key = RecipientSeal.newKey()
        let document =
            #"{"kind":"webhook","url":"https://hooks.example.org/x","secrets":{"hmac_key":"0123456789abcdef!"}}"#
        let none = try await Self.send(house, .put, "/v1/channels/noc", document, as: house.orange)
        #expect(none.status == .serviceUnavailable && none.json["code"] == "no_notifier")
        try house.exporter.giveNotifierKey(key)
        let set = try await Self.send(house, .put, "/v1/channels/noc", document, as: house.orange)
        #expect(set.status == .created && set.json["has_secrets"] == true && set.json["sealed"] == nil)
        let published = try #require(try Self.published(house, "channel").first)
        #expect(!published.contains("0123456789abcdef!"))
        let policy = AddressPolicy()
        let channel = try Channel(
            compiling: JSONValue(bytes: Array(published.dropFirst("channel noc ".count).utf8)), id: "noc", policy)
        #expect(channel.tenant == "orange")
        #expect(try channel.secrets(policy) { _ in key }.hmacKey == "0123456789abcdef!")
        for (wrong, field) in [
            (#"{"kind":"webhook","url":"http://10.1.2.3/","secrets":{"hmac_key":"0123456789abcdef!"}}"#, "url"),
            (#"{"kind":"email","to":"a@b.cm","tenant":"mtn"}"#, "tenant"), (#"{"kind":"pager"}"#, "kind"),
            (#"{"kind":"webhook","url":"https://a.org/","secrets":{"hmac_key":"short"}}"#, "secrets.hmac_key"),
        ] {
            let refused = try await Self.send(house, .put, "/v1/channels/other", wrong, as: house.orange)
            #expect(
                refused.status == .unprocessableContent && refused.json["field"]?.string == field, "\(refused.json)")
            #expect(!refused.json.text.contains("short"))
        }
        #expect(try Self.published(house, "channel").count == 1)
    }

    @Test func `a tenant has a bounded number of channels`() async throws {
        let directory = try TemporaryDirectory()
        let house = try await House(directory), document = #"{"kind":"email","to":"noc@example.org"}"#
        for number in 1...DocumentService.mostOfTenant {
            let set = try await Self.send(house, .put, "/v1/channels/c\(number)", document, as: house.orange)
            #expect(set.status == .created)
        }
        let more = try await Self.send(house, .put, "/v1/channels/more", document, as: house.orange)
        #expect(more.status == .conflict && more.json["code"] == "too_many_documents")
        #expect(try await Self.send(house, .put, "/v1/channels/c1", document, as: house.orange).status == .ok)
        #expect(try await Self.send(house, .put, "/v1/channels/more", document, as: house.mtn).status == .created)
    }

    /// As a browser's `toJSON()`.
    private static func subscription(_ endpoint: String) -> String {
        let key = Base64URL.text(P256.KeyAgreement.PrivateKey().publicKey.x963Representation)
        let auth = Base64URL.text([UInt8](repeating: 1, count: 16))
        return #"{"endpoint":"\#(endpoint)","expirationTime":null,"keys":{"p256dh":"\#(key)","auth":"\#(auth)"}}"#
    }

    @Test func `a contact's browser is told until the contact takes that back or is revoked`() async throws {
        let directory = try TemporaryDirectory()
        let house = try await House(directory), path = "/v1/contact/push"
        #expect(try await Self.send(house, .get, path, as: house.vic).json["code"] == "no_notifier")
        try house.exporter.giveNotifierKey()
        let body = Self.subscription("https://push.example.org/abc")
        let set = try await Self.send(house, .put, path, body, as: house.vic)
        let channel = try #require(set.json["channel"]?.string)
        #expect(set.status == .created && channel.hasPrefix("push-"))
        let shown = try await Self.send(house, .get, path, as: house.vic).json
        #expect(shown["channel"]?.string == channel && shown["vapid_key"] == "BNcR")
        #expect(try await Self.send(house, .get, path, as: house.ann).json["channel"]?.string == nil)
        #expect(try !Self.published(house, "channel").joined().contains("push.example.org"))
        for (wrong, field) in [
            (Self.subscription("https://192.168.1.1/x"), "secrets.endpoint"),
            (#"{"endpoint":"https://a.org/"}"#, "secrets.p256dh"),
            (#"{"colour":"red"}"#, "colour"),
        ] {
            let refused = try await Self.send(house, .put, path, wrong, as: house.ann)
            #expect(refused.status == .unprocessableContent)
            #expect(refused.json["detail"]?.string?.contains(field) == true, "\(refused.json)")
        }
        #expect(try await Self.send(house, .delete, path, as: house.vic).status == .noContent)
        #expect(try await Self.send(house, .delete, path, as: house.vic).status == .notFound)
        _ = try await Self.send(house, .put, path, body, as: house.vic)
        _ = try await house.exporter.contactCalls.revoke(["tenant": "orange", "name": "vic"])
        #expect(try Self.published(house, "channel").last == "channel \(channel) gone")
    }

    @Test func `with a tenant go its rules and channels`() async throws {
        let directory = try TemporaryDirectory()
        let house = try await House(directory)
        _ = try await Self.send(house, .put, "/v1/rules/r", Self.rule(), as: house.orange)
        _ = try await Self.send(house, .put, "/v1/channels/c", #"{"kind":"email","to":"a@b.cm"}"#, as: house.orange)
        _ = try await Self.send(house, .put, "/v1/channels/m", #"{"kind":"email","to":"a@b.cm"}"#, as: house.mtn)
        _ = try await house.exporter.tenantCalls.remove(["name": "orange"])
        #expect(try Self.published(house, "rule").last == "rule r gone")
        #expect(try Self.published(house, "channel").last == "channel c gone")
        #expect(try await Self.send(house, .get, "/v1/channels/m", as: house.mtn).status == .ok)
    }
}
