package import Channels
internal import Crypto
internal import Models
internal import ServiceKit

/// What a push service is posted: one delivery, encrypted for the browser.
package enum PushMessage {
    /// So long a push service keeps what the browser cannot take: a day.
    static let timeToLive = 86_400

    /// - Throws: if the subscription's key is none.
    package static func request(
        _ call: OutgoingCall, _ subscription: ChannelSecrets.PushSubscription, _ vapid: VAPIDKey,
        privateKey: [UInt8] = PushCipher.newKey(), salt: [UInt8] = (0..<16).map { _ in .random(in: .min ... .max) }
    ) throws -> HTTPMessage? {
        guard let delivery = call.deliveries.first else { return nil }
        let body = try PushCipher.encrypt(text(delivery), for: subscription, privateKey: privateKey, salt: salt)
        return HTTPMessage(
            url: subscription.endpoint,
            headers: [
                (name: "Content-Encoding", value: "aes128gcm"),
                (name: "Content-Type", value: "application/octet-stream"),
                (name: "TTL", value: "\(timeToLive)"), (name: "Urgency", value: urgency(delivery.alarm.severity)),
                // What is told later of the same alarm takes the place of what still waits.
                (name: "Topic", value: topic(delivery.alarm.id)),
                (
                    name: "Authorization",
                    value: try vapid.authorization(for: subscription.endpoint.origin, at: call.at / 1_000)
                ),
            ], body: body)
    }

    /// JSON of at most ``PushCipher/mostBytes``, whatever the alarm says: `{alarm, body, cleared, delivery, severity, sound, title}`; `sound`
    /// names what the page plays, one for each severity.
    package static func text(_ delivery: OutgoingCall.Delivery) -> [UInt8] {
        let alarm = delivery.alarm, isOver = delivery.word == "cleared"
        let place = [alarm.owner?.name, alarm.place].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
        let value: JSONValue = [
            "alarm": .string(begin(of: alarm.id, bytes: 400)), "delivery": .string(delivery.id),
            "title": .string(begin(of: "\(delivery.word) \(alarm.severity.rawValue)", bytes: 200)),
            "body": .string(begin(of: "\(alarm.problem) \(place)", bytes: 1_200)),
            "severity": .string(alarm.severity.rawValue),
            "sound": .string(isOver ? "cleared" : alarm.severity.rawValue), "cleared": .bool(isOver),
        ]
        return Array(value.text.utf8)
    }

    /// As much of a text as has at most so many bytes in JSON, escapes included.
    private static func begin(of text: String, bytes: Int) -> String {
        var left = bytes
        let kept = text.unicodeScalars.prefix { scalar in
            left -=
                scalar.value < 0x20 || scalar.value == 0x7f
                ? 6 : scalar == "\"" || scalar == "\\" ? 2 : UTF8.width(scalar)
            return left >= 0
        }
        return String(String.UnicodeScalarView(kept))
    }

    private static func urgency(_ severity: Severity) -> String {
        switch severity {
        case .critical, .major: "high"
        case .minor, .warning, .indeterminate, .cleared: "normal"
        }
    }

    /// 32 characters of base64url.
    private static func topic(_ alarm: String) -> String {
        String(Base64URL.text(SHA256.hash(data: Array(alarm.utf8))).prefix(32))
    }
}
