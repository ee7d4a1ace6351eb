package import Channels
package import Models

/// One message on its way by a channel: what is told in it, and to whom.
package struct OutgoingCall: Sendable {
    /// Something that happened to an alarm.
    package struct Delivery: Sendable, Equatable {
        /// The same at each try.
        package let id: String
        package let alarm: AlarmFact
        /// `raised`, `changed:1`, `cleared`, `firing`, `test:…`.
        package let transition: String
        /// The severity told before, of a change.
        package let previous: Severity?

        package init(id: String, alarm: AlarmFact, transition: String, previous: Severity? = nil) {
            self.id = id
            self.alarm = alarm
            self.transition = transition
            self.previous = previous
        }

        /// The transition without its number: `changed`.
        package var word: String { String(transition.prefix { $0 != ":" }) }
    }

    /// A one-time code, in clear from when it is handed out until it is sent.
    package struct Code: Sendable, Equatable {
        /// The name of its delivery.
        package let delivery: String
        package let text: String

        package init(delivery: String, text: String) {
            self.delivery = delivery
            self.text = text
        }
    }

    package let channel: Channel
    package let secrets: ChannelSecrets
    package let deliveries: [Delivery]
    /// When it was handed out, Unix milliseconds.
    package let at: UnixMilliseconds
    /// Tries before it.
    package let attempts: Int64
    /// Told instead of deliveries.
    package let code: Code?

    package init(
        channel: Channel, secrets: ChannelSecrets, deliveries: [Delivery], at: UnixMilliseconds, attempts: Int64,
        code: Code? = nil
    ) {
        self.code = code
        self.channel = channel
        self.secrets = secrets
        self.deliveries = deliveries
        self.at = at
        self.attempts = attempts
    }
}

/// What became of a call.
package enum SendAnswer: Sendable, Equatable {
    /// The other side has it.
    case delivered
    /// It may not have it; trying later may help, not before so many milliseconds if it said so.
    case failed(String, retryAfter: UnixMilliseconds? = nil)
    /// There is nobody any more, and never will be: a push service says so of a subscription.
    case gone(String)
}

/// Who carries calls out. Called from many tasks at once; must end within a time of its own.
package protocol ChannelSender: Sendable {
    func send(_ call: OutgoingCall) async -> SendAnswer
}

/// A request that posts something.
package struct HTTPMessage: Sendable, Equatable {
    package var url: TargetURL
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package init(url: TargetURL, headers: [(name: String, value: String)], body: [UInt8]) {
        self.url = url
        self.headers = headers
        self.body = body
    }

    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    package static func == (left: HTTPMessage, right: HTTPMessage) -> Bool {
        left.url == right.url && left.body == right.body && left.headers.elementsEqual(right.headers, by: ==)
    }
}
