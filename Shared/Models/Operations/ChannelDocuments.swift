extension RecordKind {
    /// A channel by which alarms are told, on the `operations` lane: a JSON object that `Channels` compiles, keyed by its id. Secrets
    /// in it are sealed to the notifier's key. Without document: removed.
    public static let channel = RecordKind(
        id: 30, name: "channel", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 160)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// What was told by a channel, or could not be, on the `deliveries` lane: ``DeliveryDocument``, keyed by its id. Without
    /// document: too old.
    public static let delivery = RecordKind(
        id: 31, name: "delivery", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 64)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// The key to which secrets of channels are sealed, on the `deliveries` lane under the key `current`:
    /// ``ChannelKeyDocument``.
    public static let channelKey = RecordKind(
        id: 32, name: "channel_key", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 32)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}

/// The public keys of the notifier: to which secrets are sealed, and by which browsers know it.
public struct ChannelKeyDocument: Codable, Sendable, Hashable {
    /// The first 8 bytes of the key's SHA-256 in hexadecimal.
    public var id: String
    /// P-256, X9.63, in base64: what HPKE seals to.
    public var publicKey: String
    /// P-256, X9.63, in base64url: the `applicationServerKey` of Web Push (RFC 8292).
    public var vapidKey: String

    public init(id: String, publicKey: String, vapidKey: String) {
        self.id = id
        self.publicKey = publicKey
        self.vapidKey = vapidKey
    }

    enum CodingKeys: String, CodingKey {
        case id
        case publicKey = "public_key"
        case vapidKey = "vapid_key"
    }
}

/// The document of a record of kind `delivery`.
public struct DeliveryDocument: Codable, Sendable, Equatable {
    /// How far a delivery is.
    public enum State: String, Codable, Sendable, CaseIterable {
        /// It is tried until it is delivered or given up.
        case waiting
        case delivered
        /// It was given up; an operator may have it sent again.
        case dead
    }

    /// The same for the same channel, alarm and transition: receivers know a repetition by it.
    public var id: String
    public var channel: String
    /// Whose channel it is; nil of deliveries from before that was noted.
    public var tenant: String?
    public var alarm: String
    /// `raised`, `changed:1`, `reminded:1`, `escalated:1`, `shelved:4`, `cleared`, `firing` (of Alertmanager: the alarm as long as it lasts) or
    /// `test:…`.
    public var transition: String
    public var state: State
    /// Tries that failed, since it was made or sent again.
    public var attempts: Int64
    /// Why the last try failed; empty if none did.
    public var reason: String
    public var createdAt: UnixMilliseconds
    public var changedAt: UnixMilliseconds

    public init(
        id: String, channel: String, tenant: String?, alarm: String, transition: String, state: State, attempts: Int64,
        reason: String, createdAt: UnixMilliseconds, changedAt: UnixMilliseconds
    ) {
        self.id = id
        self.channel = channel
        self.tenant = tenant
        self.alarm = alarm
        self.transition = transition
        self.state = state
        self.attempts = attempts
        self.reason = reason
        self.createdAt = createdAt
        self.changedAt = changedAt
    }

    enum CodingKeys: String, CodingKey {
        case id, channel, tenant, alarm, transition, state, attempts, reason
        case createdAt = "created_at_ms"
        case changedAt = "changed_at_ms"
    }
}
