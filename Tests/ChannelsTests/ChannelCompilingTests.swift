import Channels
import Foundation
import Models
import ServiceKit
import Storage
import Testing

/// Documents of channels.
@Suite struct ChannelCompilingTests {
    private let policy = AddressPolicy()

    private func problems(_ document: JSONValue) -> [String] {
        do throws(DocumentRefusal) {
            _ = try Channel(compiling: document, id: "c", policy)
            return []
        } catch { return error.problems.map(\.path) }
    }

    @Test func `every kind is compiled, with the usual filter`() throws {
        let mail = try Channel(compiling: ["kind": "email", "tenant": "mtn", "to": "noc@mtn.cm"], id: "c", policy)
        #expect(
            mail.kind == .email(to: "noc@mtn.cm", digest: 60_000) && mail.filter == ChannelFilter()
                && mail.perMinute == 60)
        let phone = try Channel(compiling: ["kind": "sms", "tenant": "mtn", "to": "+237690000000"], id: "c", policy)
        #expect(phone.kind == .sms(to: "+237690000000") && phone.target == "+237690000000")
        let manager = try Channel(
            compiling: [
                "kind": "alertmanager", "tenant": "regulator", "url": "https://am.example.org/api/v2/alerts",
                "resend_seconds": 15,
                "filter": ["severity": "major", "rules": ["urgent"], "networks": ["62401"], "places": ["1222", "03"]],
            ], id: "c", policy)
        #expect(manager.target == "https://am.example.org/api/v2/alerts" && manager.filter.severity == .major)
        #expect(
            manager.filter.takes(severity: .major, rule: "urgent", networks: [PLMN(text: "62401")!], place: "12223"))
        #expect(
            !manager.filter.takes(severity: .minor, rule: "urgent", networks: [PLMN(text: "62401")!], place: "12223"))
        #expect(
            !manager.filter.takes(severity: .major, rule: "other", networks: [PLMN(text: "62401")!], place: "12223"))
        #expect(
            !manager.filter.takes(severity: .major, rule: "urgent", networks: [PLMN(text: "62402")!], place: "12223"))
        #expect(!manager.filter.takes(severity: .major, rule: "urgent", networks: [PLMN(text: "62401")!], place: nil))
        #expect(!manager.filter.takes(severity: .major, rule: "urgent", networks: [PLMN(text: "62401")!], place: "1"))
    }

    @Test(
        arguments: [
            (["kind": "pager", "tenant": "t"], ["kind"]), (["kind": "email", "to": "a@b.cm"], ["tenant"]),
            (["kind": "email", "tenant": "t"], ["to"]), (["kind": "sms", "tenant": "t"], ["to"]),
            (["kind": "sms", "tenant": "t", "to": "690000000"], ["to"]),
            (["kind": "sms", "tenant": "t", "to": "+0690000000"], ["to"]),
            (["kind": "sms", "tenant": "t", "to": "+23769000000a"], ["to"]),
            (["kind": "email", "tenant": "t", "to": "a@b.cm\r\nRCPT TO:<x@y>"], ["to"]),
            (["kind": "email", "tenant": "t", "to": "Nkul <a@b.cm>"], ["to"]),
            (["kind": "email", "tenant": "t", "to": "a@b.cm,c@d.cm"], ["to"]),
            (["kind": "email", "tenant": "t", "to": "a@b.cm", "digest_seconds": 3601], ["digest_seconds"]),
            (["kind": "email", "tenant": "t", "to": "a@b.cm", "per_minute": 0], ["per_minute"]),
            (["kind": "email", "tenant": "t", "to": "a@b.cm", "colour": "red"], ["colour"]),
            (["kind": "email", "tenant": "t", "to": "a@b.cm", "url": "https://a.org/"], ["url"]),
            (["kind": "alertmanager", "tenant": "t", "url": "http://10.0.0.1/"], ["url"]),
            (
                ["kind": "alertmanager", "tenant": "t", "url": "https://a.org/", "resend_seconds": 0],
                ["resend_seconds"]
            ),
            (["kind": "webhook", "tenant": "t", "url": "https://a.org/"], ["sealed"]),
            (
                ["kind": "webhook", "tenant": "t", "url": "https://a.org/", "sealed": ["key": "x", "text": "y"]],
                ["sealed.key", "sealed.text"]
            ),
            (["kind": "email", "tenant": "t", "to": "a@b.cm", "filter": ["severity": "cleared"]], ["filter.severity"]),
            (
                ["kind": "email", "tenant": "t", "to": "a@b.cm", "filter": ["networks": ["62401", "6"]]],
                ["filter.networks[1]"]
            ),
            (["kind": "email", "tenant": "t", "to": "a@b.cm", "filter": ["places": ["1224"]]], ["filter.places[0]"]),
            (["kind": "email", "tenant": "t", "to": "a@b.cm", "filter": ["rules": []]], ["filter.rules"]),
            (["kind": "email", "tenant": "t", "to": "a@b.cm", "filter": ["x": 1]], ["filter.x"]), ("text", [""]),
            (["kind": "tmf642", "tenant": "t", "url": "http://10.0.0.1/"], ["url"]),
            (["kind": "tmf642", "tenant": "t", "url": "https://a.org/", "filter": [:]], ["filter"]),
            (
                ["kind": "tmf642", "tenant": "t", "url": "https://a.org/", "query": "eventType=AlarmDeleteEvent"],
                ["query"]
            ),
            (["kind": "tmf642", "tenant": "t", "url": "https://a.org/", "query": "plmn=62401&plmn=62402"], ["query"]),
            (["kind": "tmf642", "tenant": "t", "url": "https://a.org/", "query": "plmn=62401,x"], ["query"]),
            (["kind": "tmf642", "tenant": "t", "url": "https://a.org/", "query": "colour=red"], ["query"]),
            (["kind": "tmf642", "tenant": "t", "url": "https://a.org/", "query": ""], ["query"]),
        ] as [(JSONValue, [String])])
    func `what is wrong is named, all of it`(_ document: JSONValue, _ paths: [String]) {
        #expect(problems(document) == paths)
    }

    @Test func `a listener's query says which events of which alarms it wants`() throws {
        let document: JSONValue = [
            "kind": "tmf642", "tenant": "mtn", "url": "https://oss.example.org/listener",
            "query": "eventType=AlarmCreateEvent&perceivedSeverity=critical%2Cminor&plmn=62401&rule=urgent&place=12,13",
        ]
        let hub = try Channel(compiling: document, id: "c", policy)
        guard case .tmf642(let url, let events) = hub.kind else { return #expect(Bool(false), "\(hub.kind)") }
        #expect(
            events == [.created] && url.host == "oss.example.org" && hub.target == "https://oss.example.org/listener")
        #expect(hub.filter.severities == [.critical, .minor] && hub.filter.networks == [PLMN(text: "62401")!])
        #expect(hub.filter.rules == ["urgent"] && hub.filter.places == ["12", "13"])
        let networks: Set<PLMN> = [PLMN(text: "62401")!]
        #expect(hub.filter.takes(severity: .minor, rule: "urgent", networks: networks, place: "1300"))
        #expect(!hub.filter.takes(severity: .major, rule: "urgent", networks: networks, place: "1300"))
        let all = try Channel(
            compiling: ["kind": "tmf642", "tenant": "mtn", "url": "https://a.org/x"], id: "c", policy)
        #expect(all.filter.takes(severity: .indeterminate, rule: "r", networks: [], place: nil))
        #expect(all.kind == .tmf642(try TargetURL("https://a.org/x", policy), events: Set(AlarmEvent.allCases)))
    }

    @Test func `a message says what may stand there`() {
        do throws(DocumentRefusal) {
            _ = try Channel(
                compiling: ["kind": "email", "tenant": "t", "to": "a@b.cm", "per_minute": 601], id: "c", policy)
            Issue.record("it was compiled")
        } catch { #expect(error.description == "per_minute is 601; expected 1…600, a whole number") }
    }

    @Test func `secrets are sealed for one channel and one target, and open for the notifier alone`() throws {
        let key = RecipientSeal.newKey(), point = try RecipientSeal.publicKey(of: key)
        let document = ChannelKeyDocument(
            id: "0123456789abcdef", publicKey: Data(point).base64EncodedString(), vapidKey: "")
        let given: JSONValue = [
            "kind": "webhook", "tenant": "t", "url": "https://a.org/x", "secrets": ["hmac_key": "0123456789abcdef!"],
        ]
        let sealed = try ChannelSealing.seal(given, id: "c", to: document, policy)
        #expect(!sealed.text.contains("0123456789abcdef!") && sealed["secrets"] == nil)
        let channel = try Channel(compiling: sealed, id: "c", policy)
        #expect(try channel.secrets(policy) { $0 == document.id ? key : nil }.hmacKey == "0123456789abcdef!")
        #expect(throws: DocumentRefusal.self) { try channel.secrets(policy) { _ in nil } }
        #expect(throws: DocumentRefusal.self) {
            try Channel(compiling: sealed, id: "other", policy).secrets(policy) { _ in key }
        }
        guard case .object(var moved) = sealed else { return }
        moved["url"] = "https://elsewhere.org/x"
        #expect(throws: DocumentRefusal.self) {
            try Channel(compiling: .object(moved), id: "c", policy).secrets(policy) { _ in key }
        }
    }

    @Test func `a refusal shows no secret, and names those that are wrong`() {
        let key = RecipientSeal.newKey()
        do {
            _ = try ChannelSealing.seal(
                [
                    "kind": "webhook", "tenant": "t", "url": "https://a.org/",
                    "secrets": ["hmac_key": "tooshort", "other": "hush"],
                ],
                id: "c",
                to: ChannelKeyDocument(
                    id: "0123456789abcdef",
                    publicKey: Data(try RecipientSeal.publicKey(of: key)).base64EncodedString(), vapidKey: ""), policy)
            Issue.record("it was sealed")
        } catch {
            #expect("\(error)".contains("secrets.hmac_key") && "\(error)".contains("secrets.other"))
            #expect(!"\(error)".contains("tooshort") && !"\(error)".contains("hush"))
        }
    }

    @Test func `a push endpoint inside the network is refused by name`() {
        do throws(DocumentRefusal) {
            _ = try ChannelSecrets(
                compiling: ["endpoint": "https://192.168.0.1/x", "p256dh": "AA", "auth": "AA"], of: "webpush", policy)
            Issue.record("it was compiled")
        } catch { #expect(error.problems.map(\.path) == ["secrets.endpoint", "secrets.p256dh", "secrets.auth"]) }
    }
}
