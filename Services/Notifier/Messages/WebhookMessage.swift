package import Channels
internal import Crypto
internal import Models

/// What a webhook is posted: one delivery as JSON, signed.
///
///     Nkul-Delivery: <id, the same at each try>
///     Nkul-Signature: t=<Unix seconds of this try>,v1=<HMAC-SHA-256 of "<t>.<body>" in hexadecimal>
///     {"alarm":{…},"channel":"…","delivery":"…","previousSeverity":"…","transition":"raised"}
package enum WebhookMessage {
    package static func request(_ call: OutgoingCall, to url: TargetURL) -> HTTPMessage? {
        guard let delivery = call.deliveries.first, let key = call.secrets.hmacKey else { return nil }
        let body = body(of: delivery, channel: call.channel.id), time = call.at / 1_000
        var headers = [
            ("Content-Type", "application/json"), ("Nkul-Delivery", delivery.id),
            ("Nkul-Event", "alarm.\(delivery.word)"), ("Nkul-Signature", signature(of: body, at: time, key: key)),
        ]
        if let authorization = call.secrets.authorization { headers.append(("Authorization", authorization)) }
        return HTTPMessage(url: url, headers: headers.map { (name: $0.0, value: $0.1) }, body: body)
    }

    /// Names of channels and deliveries are plain, and the alarm is JSON already.
    private static func body(of delivery: OutgoingCall.Delivery, channel: String) -> [UInt8] {
        var body = Array("{\"alarm\":".utf8) + delivery.alarm.bytes
        body += ",\"channel\":\"\(channel)\",\"delivery\":\"\(delivery.id)\"".utf8
        if let previous = delivery.previous { body += ",\"previousSeverity\":\"\(previous.rawValue)\"".utf8 }
        body += ",\"transition\":\"\(delivery.word)\"}".utf8
        return body
    }

    package static func signature(of body: [UInt8], at seconds: Int64, key: String) -> String {
        var hmac = HMAC<SHA256>(key: SymmetricKey(data: Array(key.utf8)))
        hmac.update(data: Array("\(seconds).".utf8))
        hmac.update(data: body)
        return "t=\(seconds),v1=" + Hexadecimal.text(Array(hmac.finalize()))
    }
}
