extension RecordKind {
    /// Where a subscriber's browser is asked from now on, on the `requests` lane; the document is a ``PushDocument``.
    public static let push = asked(49, "push")

    /// A question that a subscriber's browser is to be sent, on the `requests` lane; the document is a ``PushPromptDocument``.
    public static let pushPrompt = asked(58, "push_prompt")

    private static func asked(_ id: UInt8, _ name: String) -> RecordKind {
        RecordKind(
            id: id, name: name, version: 1, fields: [],
            serverFields: [
                Field(ColumnID.device, "device", .number(scale: 1)),
                Field(ColumnID.receivedAt, "received_at_ms", .instant, unit: "Unix ms", delta: true),
                Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
            ])
    }
}

/// The document of a record of kind `push`: the subscription of a device's browser, for the notifier's eyes only.
public struct PushDocument: Codable, Sendable, Hashable {
    /// Which of the notifier's keys it is sealed to (``ChannelKeyDocument/id``).
    public var key: String?
    /// The subscription, sealed and in base64; nil: there is none any more.
    public var sealed: String?

    public init(key: String?, sealed: String?) {
        self.key = key
        self.sealed = sealed
    }
}

/// The document of a record of kind `push_prompt`. It names no alarm in a way that tells its place.
public struct PushPromptDocument: Codable, Sendable, Hashable {
    /// What of an alarm is asked about.
    public enum Moment: String, Codable, Sendable, CaseIterable {
        /// It was raised: how is it?
        case raised
        /// It is over: is it better now?
        case over
    }

    /// Longest that a question waits for its browser, here and at the push service, milliseconds: later it is none.
    public static let lifetime: UnixMilliseconds = 600_000

    /// By which the browser tells what became of it, and by which an answer names it.
    public var prompt: String
    /// The rule of the prompt policy, as the device API names it.
    public var rule: String
    public var moment: Moment
    /// The name of the alarm as subscribers are told it, 32 hexadecimal digits: of an alarm one question waits, the newest.
    public var topic: String
    /// By which policy it was decided.
    public var policyVersion: String
    /// When it was decided.
    public var askedAt: UnixMilliseconds

    public init(
        prompt: String, rule: String, moment: Moment, topic: String, policyVersion: String, askedAt: UnixMilliseconds
    ) {
        self.prompt = prompt
        self.rule = rule
        self.moment = moment
        self.topic = topic
        self.policyVersion = policyVersion
        self.askedAt = askedAt
    }

    enum CodingKeys: String, CodingKey {
        case prompt, rule, moment, topic
        case policyVersion = "policy_version"
        case askedAt = "asked_at"
    }
}
