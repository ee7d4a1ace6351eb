import Channels
import Crypto
import Foundation
import GRDB
import Lanes
import Models
import NIOHTTP1
import NotifierMessages
import NotifierSending
import ServiceKit
import Storage
import SubjectRights
import Testing
import Wire

@testable import Notifier

/// Questions to subscribers' browsers, from the lane of requests to the push service.
@Suite struct QuestionTests {
    private let browser = P256.KeyAgreement.PrivateKey()
    private let authentication = [UInt8](repeating: 4, count: 16)

    private func subscription(
        _ endpoint: String = "https://push.example.net/x", _ policy: AddressPolicy = AddressPolicy()
    ) throws -> ChannelSecrets.PushSubscription {
        ChannelSecrets.PushSubscription(
            endpoint: try TargetURL(endpoint, policy), publicKey: [UInt8](browser.publicKey.x963Representation),
            authentication: authentication)
    }

    private func question(
        _ name: String = "p1", at time: UnixMilliseconds = NotifierBench.start
    ) -> PushPromptDocument {
        PushPromptDocument(
            prompt: name, rule: "no_service", moment: .raised, topic: String(repeating: "a1", count: 16),
            policyVersion: "7", askedAt: time)
    }

    private func subscribe(_ bench: NotifierBench, _ device: UInt64 = 1, _ document: PushDocument? = nil) throws {
        let document = try document ?? PushSeal.seal(subscription(), of: device, to: bench.keys.document)
        try bench.ask(.push, [(device, try SortedJSON.text(of: document))])
    }

    private func ask(_ bench: NotifierBench, _ devices: [UInt64] = [1], _ name: String = "p1") throws {
        try bench.ask(
            .pushPrompt,
            devices.map { ($0, try SortedJSON.text(of: question(name + ($0 == 1 ? "" : "\($0)"), at: bench.now))) })
    }

    private func ends(_ bench: NotifierBench) -> [QuestionEnd: Int] {
        bench.reports.reduce(into: [:]) { ends, report in ends.merge(report.questions) { $0 + $1 } }
    }

    /// What the browser makes of a message (RFC 8291).
    private func opened(_ body: [UInt8]) throws -> JSONValue {
        let salt = Array(body[0..<16]), sender = Array(body[21..<86]), sealed = Array(body[86...])
        #expect(Array(body[16..<21]) == [0, 0, 0x10, 0, 65])
        let shared = try browser.sharedSecretFromKeyAgreement(
            with: P256.KeyAgreement.PublicKey(x963Representation: sender))
        let material = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: authentication,
            sharedInfo: Array("WebPush: info\u{0}".utf8) + [UInt8](browser.publicKey.x963Representation) + sender,
            outputByteCount: 32)
        func derived(_ info: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: material, salt: salt, info: Array("\(info)\u{0}".utf8), outputByteCount: count)
        }
        let nonce = derived("Content-Encoding: nonce", 12).withUnsafeBytes { Array($0) }
        let box = try AES.GCM.SealedBox(
            nonce: AES.GCM.Nonce(data: nonce), ciphertext: sealed.dropLast(16), tag: sealed.suffix(16))
        let clear = try AES.GCM.open(box, using: derived("Content-Encoding: aes128gcm", 16))
        #expect(clear.last == 2)
        return try JSONValue(bytes: Array(clear.dropLast()))
    }

    @Test
    func `a question is what the browser's private key alone opens, for ten minutes, in the place of the last one`()
        throws
    {
        let secret = VAPIDKey.newKey(), vapid = try VAPIDKey(secret, contact: "mailto:a@b.cm")
        let call = OutgoingQuestion(to: try subscription(), question(), at: NotifierBench.start)
        let message = try QuestionMessage.request(call, vapid)
        #expect(message.header("TTL") == "600" && message.header("Topic") == String(repeating: "a1", count: 16))
        #expect(message.header("Urgency") == "normal" && message.header("Content-Encoding") == "aes128gcm")
        #expect(message.header("Authorization")?.hasSuffix(",k=\(vapid.publicText)") == true)
        let value = try opened(message.body)
        #expect(value["prompt_id"] == "p1" && value["rule"] == "no_service" && value["moment"] == "raised")
        #expect(value["policy_version"] == "7" && value["asked_at_ms"] == .integer(NotifierBench.start))
        #expect(value["topic"]?.string == String(repeating: "a1", count: 16) && value.object?.count == 6)
        let other = try QuestionMessage.request(call, vapid)
        #expect(other.body != message.body, "keys and salt are of one message")
    }

    @Test func `a question is sent once, whatever becomes of it`() throws {
        let bench = try NotifierBench()
        try subscribe(bench)
        try ask(bench)
        let sent = try bench.questions()
        #expect(sent.map(\.call.question.prompt) == ["p1"])
        #expect(sent.map(\.call.subscription) == [try subscription()])
        try bench.settle(sent[0].number, .failed("answered 500"))
        #expect(try bench.questions().isEmpty && ends(bench) == [.failed: 1])
        try ask(bench, [1], "p2")
        try bench.settle(#require(bench.questions().first).number, .delivered)
        #expect(ends(bench) == [.failed: 1, .sent: 1] && bench.reports.last?.subscriptions == 1)
    }

    @Test func `one that was on its way at a kill is not sent again, and one that waited is`() throws {
        let bench = try NotifierBench(), devices = Array(1...UInt64(QuestionFlow.atOnce + 2))
        for device in devices { try subscribe(bench, device) }
        try ask(bench, devices)
        #expect(try bench.questions().count == QuestionFlow.atOnce, "so many are under way at the same time")
        try bench.restart()
        let left = try bench.questions().map(\.call.question.prompt)
        #expect(left == devices.suffix(2).map { "p1\($0)" })
    }

    @Test func `404 and 410 end the subscription, and what waits for it`() throws {
        let bench = try NotifierBench()
        try subscribe(bench)
        try ask(bench)
        try bench.settle(#require(bench.questions().first).number, .gone("answered 410"))
        try ask(bench, [1], "p2")
        #expect(try bench.questions().isEmpty && ends(bench) == [.gone: 1, .unknown: 1])
        #expect(bench.reports.last?.subscriptions == 0)
    }

    @Test func `who turns it off is asked no more, and one browser takes the place of another`() throws {
        let bench = try NotifierBench()
        try subscribe(bench)
        let other = try subscription("https://other.example.net/y")
        try subscribe(bench, 1, try PushSeal.seal(other, of: 1, to: bench.keys.document))
        try ask(bench)
        let sent = try bench.questions()
        #expect(sent.map(\.call.subscription) == [other])
        try subscribe(bench, 1, PushDocument(key: nil, sealed: nil))
        try ask(bench, [1], "p2")
        #expect(try bench.questions().isEmpty && ends(bench) == [.unknown: 1])
    }

    @Test func `a question that waited for too long is none`() throws {
        let bench = try NotifierBench()
        try subscribe(bench)
        try bench.ask(
            .pushPrompt, [(1, try SortedJSON.text(of: question(at: bench.now - PushPromptDocument.lifetime)))])
        #expect(try bench.questions().isEmpty && ends(bench) == [.late: 1])
    }

    @Test func `a subscription of another device, of another key or of an inner network is not used`() throws {
        let bench = try NotifierBench()
        try subscribe(bench, 1, try PushSeal.seal(subscription(), of: 2, to: bench.keys.document))
        var key = bench.keys.document
        key.id = "unknown"
        try subscribe(bench, 2, try PushSeal.seal(subscription(), of: 2, to: key))
        let inner = try subscription("https://10.0.0.1/x", .everywhere)
        try subscribe(bench, 3, try PushSeal.seal(inner, of: 3, to: bench.keys.document))
        try ask(bench, [1, 2, 3])
        #expect(try bench.questions().isEmpty && ends(bench) == [.unusable: 3])
    }

    @Test func `more than a number of questions do not wait, and are counted`() throws {
        let bench = try NotifierBench()
        try subscribe(bench)
        let text = try SortedJSON.text(of: question())
        try bench.ask(.pushPrompt, (0..<QuestionFlow.mostWaiting + 5).map { _ in (1, text) })
        #expect(ends(bench) == [.full: 5])
    }

    @Test func `a row that cannot be read is left out, and counted`() throws {
        let bench = try NotifierBench()
        try bench.ask(.pushPrompt, [(1, "{}")])
        #expect(bench.reports.contains { $0.unreadable == 1 } && ends(bench).isEmpty)
    }

    @Test func `an erasure leaves nothing of its device, and all of others`() throws {
        let bench = try NotifierBench()
        for device in [UInt64(1), 2] { try subscribe(bench, device) }
        try bench.ask(.pushPrompt, (0..<20).map { (UInt64($0 % 2 + 1), try SortedJSON.text(of: question("p\($0)"))) })
        try bench.database.write { db in
            let erased = try DeclaredRecords(NotifierEffects.tables).eraseAll(of: 1, db)
            #expect(erased.isDone)
        }
        let left = try bench.database.read { db in
            try ["push_subscriptions", "push_questions"].map {
                try Set(Int64.fetchAll(db, sql: "SELECT device FROM \($0)"))
            }
        }
        #expect(left == [[2], [2]])
    }

    /// What a name stands for is given.
    private struct Name: TargetResolver {
        let address: String
        func addresses(of host: String) async throws -> [IPAddress] { [IPAddress(text: address)!] }
    }

    @Test func `a push service that knows nobody ends it, and one that stands for an inner address is not called`()
        async throws
    {
        let server = try await AnsweringServer { request in
            request.headers.first(name: "TTL") == "600" && request.headers.contains(name: "Authorization")
                ? (.gone, [:]) : (.badRequest, [:])
        }
        let loopback = AddressPolicy(allowing: [IPNetwork(text: "127.0.0.0/8")!])
        func send(_ policy: AddressPolicy) async throws -> SendAnswer {
            let sending = QuestionSending(
                HTTPPoster(Name(address: "127.0.0.1"), policy, timeout: .seconds(5), clock: { 0 }),
                vapid: try VAPIDKey(VAPIDKey.newKey(), contact: "mailto:a@b.cm"))
            let place = try subscription("http://push.example.net:\(server.port)/x", policy)
            return await sending.send(OutgoingQuestion(to: place, question(), at: NotifierBench.start))
        }
        #expect(try await send(loopback) == .gone("answered 410"))
        guard case .failed(let reason, _) = try await send(AddressPolicy()) else {
            Issue.record("it was called")
            return
        }
        #expect(reason.hasSuffix("this machine, which is not allowed") && server.requests.count == 1)
        try await server.stop()
    }

    @Test func `a subscription is nowhere in the notifier's files in clear`() throws {
        let directory = try FileManager.default.url(
            for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: FileManager.default.temporaryDirectory,
            create: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let bench = try NotifierBench(path: directory.path + "/state.sqlite")
        try subscribe(bench)
        try ask(bench)
        for file in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
            let data = try #require(FileManager.default.contents(atPath: directory.path + "/" + file))
            #expect(data.range(of: Data("push.example.net".utf8)) == nil, "\(file)")
        }
        #expect(try bench.questions().count == 1)
    }
}
