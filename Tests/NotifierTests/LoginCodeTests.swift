import Channels
import Models
import NotifierMessages
import ServiceKit
import Testing

@testable import Notifier

/// One-time codes, told to contacts by their own channels.
@Suite struct LoginCodeTests {
    private func mail(_ contact: String?, tenant: String = "regulator") -> JSONValue {
        var document: [String: JSONValue] = ["kind": "email", "tenant": .string(tenant), "to": "ann@mtn.cm"]
        document["contact"] = contact.map { .string($0) }
        return .object(document)
    }

    private func give(_ bench: NotifierBench, _ code: String = "123456", id: String = "c1") throws {
        let document = try LoginCodeSeal.seal(
            code, id: id, of: "ann", "regulator", to: bench.keys.document, at: bench.now)
        try bench.give(.loginCode, on: .operations, [("regulator/ann", try SortedJSON.text(of: document))])
    }

    @Test func `a code goes by mail and short message of its contact alone, at once, and sealed until then`() throws {
        let bench = try NotifierBench()
        try bench.channel("ann", mail("ann"))
        try bench.channel("phone", ["kind": "sms", "tenant": "regulator", "to": "+237690000000", "contact": "ann"])
        try bench.channel("bob", mail("bob"))
        try bench.channel("noc", mail(nil))
        try bench.webhook()
        try give(bench)
        let calls = try bench.calls()
        #expect(Set(calls.map(\.call.channel.id)) == ["ann", "phone"])
        #expect(calls.allSatisfy { $0.call.code?.text == "123456" && $0.call.deliveries.isEmpty })
        let stored = try bench.outbox { try $0.page(channel: nil, state: nil, limit: 10) }
        #expect(
            stored.count == 2 && stored.allSatisfy { !String(decoding: $0.document, as: UTF8.self).contains("123456") })
        for call in calls { try bench.answer(call.number, .delivered) }
        #expect(try bench.calls().isEmpty && bench.toldOnLane().values.allSatisfy { $0 == .delivered })
    }

    @Test func `a code that was on its way at a kill is told again, and none after five minutes`() throws {
        let bench = try NotifierBench()
        try bench.channel("ann", mail("ann"))
        try give(bench)
        #expect(try bench.calls().count == 1)
        try bench.restart()
        let again = try bench.calls()
        #expect(again.map(\.call.code?.text) == ["123456"])
        try bench.answer(again[0].number, .failed("down"))
        try bench.tick(after: LoginCodeDocument.lifetime)
        for call in try bench.calls() {
            #expect(call.call.code == nil && call.call.deliveries.isEmpty)
            try bench.answer(call.number, .failed("the code is over"))
        }
        #expect(try bench.toldOnLane().values.contains(.dead))
        bench.now += 1
        let old = try LoginCodeSeal.seal(
            "1", id: "c2", of: "ann", "regulator", to: bench.keys.document, at: bench.now - LoginCodeDocument.lifetime)
        try bench.give(.loginCode, on: .operations, [("regulator/ann", try SortedJSON.text(of: old))])
        #expect(try bench.calls().isEmpty && bench.reports.contains { $0.codesUnsent == 1 })
    }

    @Test func `a code for whom no channel reaches is counted, and does not wait for a digest`() throws {
        let bench = try NotifierBench()
        try give(bench)
        #expect(bench.reports.contains { $0.codesUnsent == 1 })
        try bench.channel("ann", mail("ann"))
        try give(bench, id: "c2")
        #expect(try bench.calls().count == 1)
    }

    @Test func `a code opens for the contact alone that it was sealed for`() throws {
        let bench = try NotifierBench()
        var code = try LoginCodeSeal.seal("123456", id: "c", of: "ann", "mtn", to: bench.keys.document, at: 1)
        #expect(LoginCodeSeal.open(code, with: bench.keys.privateKey) == "123456")
        code.contact = "bob"
        #expect(LoginCodeSeal.open(code, with: bench.keys.privateKey) == nil)
    }

    @Test func `the gateway is posted who, what and under which name`() throws {
        let gateway = SMSGateway(
            url: try TargetURL("http://10.0.0.1/send", .everywhere), authorization: "Bearer x")
        let channel = Channel(id: "phone", tenant: "mtn", contact: "ann", kind: .sms(to: "+237690000000"))
        let alarm = try #require(AlarmFact(Array(NotifierBench.document(problem: "down\r\n now").utf8)))
        let told = try #require(
            ShortMessage.request(
                OutgoingCall(
                    channel: channel, secrets: ChannelSecrets(),
                    deliveries: [.init(id: "d1", alarm: alarm, transition: "raised")], at: 0, attempts: 0),
                to: "+237690000000", by: gateway))
        let body = try JSONValue(bytes: told.body)
        #expect(body["to"] == "+237690000000" && body["id"] == "d1" && told.header("Authorization") == "Bearer x")
        #expect(body["text"] == "[Nkul] raised major: down   now, 62401 1222301230123012")
        let code = try #require(
            ShortMessage.request(
                OutgoingCall(
                    channel: channel, secrets: ChannelSecrets(), deliveries: [], at: 0, attempts: 0,
                    code: .init(delivery: "d2", text: "123456")), to: "+237690000000", by: gateway))
        #expect(try JSONValue(bytes: code.body)["text"]?.string?.hasPrefix("Nkul: 123456 ") == true)
    }
}
