/// What is secret of a channel, in clear: in the hands of the command that sets it, and of the notifier.
public struct ChannelSecrets: Sendable, Equatable {
    /// By which bodies of webhooks are signed.
    public var hmacKey: String?
    /// The header `Authorization` of requests.
    public var authorization: String?
    public var subscription: PushSubscription?

    public init(hmacKey: String? = nil, authorization: String? = nil, subscription: PushSubscription? = nil) {
        self.hmacKey = hmacKey
        self.authorization = authorization
        self.subscription = subscription
    }

    /// A browser's subscription (RFC 8030, RFC 8291).
    public struct PushSubscription: Sendable, Equatable {
        public var endpoint: TargetURL
        /// The browser's public key, P-256, X9.63.
        public var publicKey: [UInt8]
        /// 16 bytes that the browser shares with who sends.
        public var authentication: [UInt8]

        public init(endpoint: TargetURL, publicKey: [UInt8], authentication: [UInt8]) {
            self.endpoint = endpoint
            self.publicKey = publicKey
            self.authentication = authentication
        }
    }

    /// What HPKE calls `info`.
    public static let purpose = "nkul-channel-1"

    /// What sealed secrets are bound to: they open for one channel only, which is told at one place.
    public static func binding(channel id: String, kind: String, target: String) -> [UInt8] {
        Array("\(id)\u{0}\(kind)\u{0}\(target)".utf8)
    }
}
