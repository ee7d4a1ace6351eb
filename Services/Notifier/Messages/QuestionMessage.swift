package import Channels
package import Models
internal import ServiceKit

/// A question on its way to a subscriber's browser.
package struct OutgoingQuestion: Sendable, Equatable {
    package let subscription: ChannelSecrets.PushSubscription
    package let question: PushPromptDocument
    /// When it was handed out, Unix milliseconds.
    package let at: UnixMilliseconds

    package init(
        to subscription: ChannelSecrets.PushSubscription, _ question: PushPromptDocument, at: UnixMilliseconds
    ) {
        self.subscription = subscription
        self.question = question
        self.at = at
    }
}

/// What a push service is posted of a question: encrypted for the browser, and of no use later than ten minutes after it was asked.
package enum QuestionMessage {
    /// - Throws: if the subscription's key is none.
    package static func request(
        _ call: OutgoingQuestion, _ vapid: VAPIDKey, privateKey: [UInt8] = PushCipher.newKey(),
        salt: [UInt8] = (0..<16).map { _ in .random(in: .min ... .max) }
    ) throws -> HTTPMessage {
        HTTPMessage(
            url: call.subscription.endpoint,
            headers: [
                (name: "Content-Encoding", value: "aes128gcm"),
                (name: "Content-Type", value: "application/octet-stream"),
                (name: "TTL", value: "\(PushPromptDocument.lifetime / 1_000)"), (name: "Urgency", value: "normal"),
                // What is asked later about the same alarm takes the place of what still waits.
                (name: "Topic", value: call.question.topic),
                (
                    name: "Authorization",
                    value: try vapid.authorization(for: call.subscription.endpoint.origin, at: call.at / 1_000)
                ),
            ],
            body: try PushCipher.encrypt(
                text(call.question), for: call.subscription, privateKey: privateKey, salt: salt))
    }

    /// JSON: `{asked_at_ms, moment, policy_version, prompt_id, rule, topic}`. Words are the app's.
    package static func text(_ question: PushPromptDocument) -> [UInt8] {
        let value: JSONValue = [
            "prompt_id": .string(question.prompt), "rule": .string(question.rule),
            "moment": .string(question.moment.rawValue), "policy_version": .string(question.policyVersion),
            "topic": .string(question.topic), "asked_at_ms": .integer(question.askedAt),
        ]
        return Array(value.text.utf8)
    }
}
