internal import Channels
internal import IngestUploads
internal import Models
internal import ServiceKit

/// The body of `PUT /v1/me/push`, checked: what `PushSubscription.toJSON()` of a browser gives.
struct PushRequest: Decodable {
    private struct Keys: Decodable {
        let p256dh: String
        let auth: String
    }

    private let endpoint: String
    private let keys: Keys

    /// What may stand there, by member.
    private static let allowed = [
        "endpoint":
            "is https:// with a host of the internet and a path, without user, at most 2048 characters of ASCII",
        "p256dh": "is 65 bytes in base64url, a point of P-256", "auth": "is 16 bytes in base64url",
    ]

    /// Reads and checks a body.
    ///
    /// - Parameter policy: where push services may be.
    /// - Throws: ``DeviceAPIError`` 422 naming the field at fault and what may stand there, never its value.
    static func read(
        _ body: [UInt8], _ policy: AddressPolicy
    ) throws(DeviceAPIError) -> ChannelSecrets.PushSubscription {
        let request = try DeviceBody.decode(PushRequest.self, from: body)
        let document: JSONValue = [
            "endpoint": .string(request.endpoint), "p256dh": .string(request.keys.p256dh),
            "auth": .string(request.keys.auth),
        ]
        let subscription: ChannelSecrets.PushSubscription?
        do {
            subscription = try ChannelSecrets(compiling: document, of: "webpush", policy).subscription
        } catch { throw refusal(error) }
        guard let subscription, subscription.endpoint.isSecure else { throw refusal("endpoint") }
        return subscription
    }

    private static func refusal(_ error: DocumentRefusal) -> DeviceAPIError {
        let path = error.problems.first?.path ?? ""
        return refusal(path.split(separator: ".").last.map(String.init) ?? "endpoint")
    }

    private static func refusal(_ member: String) -> DeviceAPIError {
        let field = member == "endpoint" ? member : "keys.\(member)"
        return DeviceAPIError(.badFormat, "\(field) \(allowed[member] ?? "is not what it should be")", field: field)
    }
}
