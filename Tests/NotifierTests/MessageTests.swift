import Channels
import Crypto
import Foundation
import Models
import NotifierMessages
import NotifierSending
import ServiceKit
import Testing

@testable import Notifier

/// What messages look like.
@Suite struct MessageTests {
    private let alarm = AlarmFact(Array(NotifierBench.document().utf8))!

    private func call(
        _ kind: Channel.Kind, _ secrets: ChannelSecrets = ChannelSecrets(), _ deliveries: [OutgoingCall.Delivery]? = nil
    ) -> OutgoingCall {
        OutgoingCall(
            channel: Channel(id: "c", tenant: "regulator", kind: kind), secrets: secrets,
            deliveries: deliveries ?? [
                OutgoingCall.Delivery(id: "0123", alarm: alarm, transition: "changed:2", previous: .minor)
            ],
            at: 1_750_000_000_123, attempts: 0)
    }

    @Test func `a webhook is JSON with a signature over time and body`() throws {
        let url = try TargetURL("https://a.org/", AddressPolicy())
        let secrets = ChannelSecrets(hmacKey: "0123456789abcdef", authorization: "Bearer x")
        let message = try #require(WebhookMessage.request(call(.webhook(url), secrets), to: url))
        let body = try JSONValue(bytes: message.body)
        #expect(
            body["alarm"]?["id"] == "62401-1222-1" && body["transition"] == "changed"
                && body["previousSeverity"] == "minor")
        #expect(
            body["delivery"] == "0123" && message.header("Nkul-Delivery") == "0123"
                && message.header("Nkul-Event") == "alarm.changed")
        let key = SymmetricKey(data: Array("0123456789abcdef".utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Array("1750000000.".utf8) + message.body, using: key)
        #expect(message.header("Nkul-Signature") == "t=1750000000,v1=" + Hexadecimal.text(code))
        #expect(message.header("Authorization") == "Bearer x")
    }

    @Test(arguments: [
        ("raised", "AlarmCreateEvent"), ("changed:2", "AlarmAttributeValueChangeEvent"),
        ("cleared", "AlarmStateChangeEvent"),
        ("test:1", "AlarmStateChangeEvent"),
    ])
    func `a listener of TMF642 is posted an event with the alarm, under one id at each try`(
        transition: String, type: String
    ) throws {
        let url = try TargetURL("https://a.org/listener", AddressPolicy())
        let delivery = OutgoingCall.Delivery(id: "0123", alarm: alarm, transition: transition)
        let message = try #require(
            EventMessage.request(call(.tmf642(url, events: []), ChannelSecrets(), [delivery]), to: url))
        let body = try JSONValue(bytes: message.body)
        #expect(
            body["eventType"]?.string == type && body["eventId"] == "0123" && body["correlationId"] == "62401-1222-1")
        #expect(body["event"]?["alarm"]?["id"] == "62401-1222-1" && body["eventTime"]?.string?.hasSuffix("Z") == true)
        #expect(message.header("Nkul-Delivery") == "0123" && message.url == url)
    }

    @Test func `no text of an alarm gets out of its header or body`() throws {
        let evil = "x\r\nBcc: all@b.cm\r\n\r\n.\r\nMAIL FROM:<x@y>\u{2028}\u{0}=?utf-8?Q?a?= 🙂"
        let alarm = try #require(AlarmFact(Array(NotifierBench.document(problem: evil).utf8)))
        let delivery = OutgoingCall.Delivery(id: "01", alarm: alarm, transition: "raised")
        let mail = DigestMail(
            call(.email(to: "noc@mtn.cm", digest: 0), ChannelSecrets(), [delivery]), from: "nkul@x.cm",
            to: "noc@mtn.cm", host: "x.cm")
        let text = String(decoding: mail.bytes, as: UTF8.self)
        let lines = text.components(separatedBy: "\r\n")
        #expect(!lines.contains { $0.hasPrefix("Bcc") || $0 == "." || $0.hasPrefix("MAIL") })
        #expect(mail.bytes.allSatisfy { (0x20...0x7e).contains($0) || $0 == 13 || $0 == 10 })
        #expect(lines.allSatisfy { $0.utf8.count <= 998 && !$0.contains("\n") && !$0.contains("\r") })
        let head = lines.prefix { !$0.isEmpty }
        #expect(head.filter { !$0.hasPrefix(" ") }.allSatisfy { $0.contains(": ") })
    }

    /// A script, a formula, ten thousand marks, and letters of which few have many bytes.
    static let said = [
        "<script>alert(1)</script>", "=HYPERLINK(\"http://x.example\",\"y\")", String(repeating: "#", count: 10_000),
        String(repeating: "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}", count: 1_000),
        String(repeating: "\u{1}\"\\", count: 4_000),
    ]

    @Test(arguments: said.indices) func `what an alarm says is text in mail and push, and no more than fits`(
        _ which: Int
    ) throws {
        let said = Self.said[which]
        let alarm = try #require(AlarmFact(Array(NotifierBench.document(problem: said).utf8)))
        let delivery = OutgoingCall.Delivery(id: "01", alarm: alarm, transition: "raised")
        let mail = DigestMail(
            call(.email(to: "noc@mtn.cm", digest: 0), ChannelSecrets(), [delivery]), from: "nkul@x.cm",
            to: "noc@mtn.cm", host: "x.cm")
        let lines = String(decoding: mail.bytes, as: UTF8.self).components(separatedBy: "\r\n")
        #expect(lines.contains("Content-Type: text/plain; charset=utf-8") && lines.allSatisfy { $0.utf8.count <= 998 })
        let body = try #require(Data(base64Encoded: lines.drop { !$0.isEmpty }.joined()))
        let line = String(said.prefix(24).map { ("\u{0}"..."\u{1f}").contains($0) ? " " : $0 })
        #expect(String(decoding: body, as: UTF8.self).contains(line))

        let pushed = PushMessage.text(delivery), value = try JSONValue(bytes: pushed)
        #expect(
            pushed.count <= PushCipher.mostBytes && value["alarm"] == "62401-1222-1" && value["severity"] == "major")
        let shown = try #require(value["body"]?.string), begin = Array(said.unicodeScalars.prefix(20))
        #expect(Array(shown.unicodeScalars.prefix(begin.count)) == begin)
    }

    @Test func `a push is encrypted as RFC 8291 does in its example`() throws {
        func bytes(_ text: String) -> [UInt8] { Base64URL.bytes(text)! }
        let subscription = ChannelSecrets.PushSubscription(
            endpoint: try TargetURL("https://push.example.net/x", AddressPolicy()),
            publicKey: bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
            authentication: bytes("BTBZMqHH6r4Tts7J_aSIgg"))
        let sealed = try PushCipher.encrypt(
            Array("When I grow up, I want to be a watermelon".utf8), for: subscription,
            privateKey: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"))
        #expect(
            Base64URL.text(sealed)
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        )
    }

    @Test func `a push service is shown who sends, by a token that its key verifies`() throws {
        let secret = VAPIDKey.newKey(), key = try VAPIDKey(secret, contact: "mailto:a@b.cm")
        let header = try key.authorization(for: "https://push.example.net", at: 1_000)
        let token = String(header.dropFirst("vapid t=".count).prefix { $0 != "," }),
            parts = token.split(separator: ".").map(String.init)
        let claims = try JSONValue(bytes: Base64URL.bytes(parts[1])!)
        #expect(
            claims["aud"] == "https://push.example.net" && claims["exp"] == 44_200 && claims["sub"] == "mailto:a@b.cm")
        let verifying = try P256.Signing.PublicKey(x963Representation: Base64URL.bytes(key.publicText)!)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: Base64URL.bytes(parts[2])!)
        #expect(verifying.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8)))
        #expect(header.hasSuffix(",k=\(key.publicText)"))
    }

    @Test(
        arguments: [
            ("120", 120_000), ("99999999", 3_600_000), ("Sun, 15 Jun 2025 15:07:40 GMT", 60_000),
            ("Sun, 15 Jun 2025 15:00:00 GMT", 0),
            ("soon", nil), ("-5", nil),
        ] as [(String, Int64?)])
    func `a peer may say for how long it wants to be left alone, an hour at most`(_ text: String, _ pause: Int64?) {
        #expect(RetryAfter.milliseconds(text, now: 1_750_000_000_000) == pause)
    }

    @Test func `pauses double, differ by a fifth, and have an end`() {
        let schedule = RetrySchedule()
        #expect(schedule.pause(1, 0) == 800 && schedule.pause(1, 400) == 1_200 && schedule.pause(5, 3_200) == 16_000)
        #expect(schedule.pause(63, 180_000) == 900_000 && schedule.pause(1_000_000, 180_000) == 900_000)
        #expect(schedule.next(attempts: 50, createdAt: 0, now: 5, random: 0) == nil)
        #expect(schedule.next(attempts: 1, createdAt: 0, now: 86_400_000, random: 0) == nil)
        #expect(schedule.next(attempts: 1, createdAt: 0, now: 5, retryAfter: 9_000, random: 0) == 9_005)
    }
}
