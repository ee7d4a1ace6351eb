public import Models

/// A way by which a tenant, or the regulator, is told of alarms: a compiled document.
public struct Channel: Sendable, Equatable {
    /// How it is told, and where; what is secret of it comes beside it (``ChannelSecrets``).
    public enum Kind: Sendable, Equatable {
        /// JSON by POST, signed.
        case webhook(TargetURL)
        /// Alertmanager's API v2. What fires is sent again after so many milliseconds.
        case alertmanager(TargetURL, resend: UnixMilliseconds)
        /// A digest of what happens within so many milliseconds, to one mailbox.
        case email(to: String, digest: UnixMilliseconds)
        /// A short message for each thing that happens, by the home's gateway: to one telephone number.
        case sms(to: String)
        /// Events of TM Forum TMF642 by POST: of these kinds.
        case tmf642(TargetURL, events: Set<AlarmEvent>)
        /// A browser's subscription; all of it is secret.
        case webpush

        public var word: String {
            switch self {
            case .webhook: "webhook"
            case .alertmanager: "alertmanager"
            case .email: "email"
            case .sms: "sms"
            case .tmf642: "tmf642"
            case .webpush: "webpush"
            }
        }
    }

    /// What it tells.
    public enum Tells: String, Sendable, CaseIterable {
        /// Whatever its filter takes, and calls of escalations.
        case all
        /// Alarms for which an escalation calls it, or the contact whose channel it is, and what becomes of those.
        case escalations
    }

    public let id: String
    /// Name of the tenant whose alarms it tells.
    public let tenant: String
    /// Whose it is of the tenant's contacts; nil of one that is the tenant's.
    public let contact: String?
    public let tells: Tells
    public let kind: Kind
    public let filter: ChannelFilter
    /// Messages in a minute at most.
    public let perMinute: Int
    /// Secrets, sealed to the notifier's key; nil if it has none.
    public let sealed: SealedSecrets?

    public init(
        id: String, tenant: String, contact: String? = nil, tells: Tells = .all, kind: Kind,
        filter: ChannelFilter = ChannelFilter(), perMinute: Int = 60, sealed: SealedSecrets? = nil
    ) {
        self.id = id
        self.tenant = tenant
        self.contact = contact
        self.tells = tells
        self.kind = kind
        self.filter = filter
        self.perMinute = perMinute
        self.sealed = sealed
    }

    public static let kinds = ["webhook", "alertmanager", "email", "sms", "tmf642", "webpush"]
}

/// Which of a tenant's alarms a channel tells.
public struct ChannelFilter: Sendable, Equatable {
    /// The least severity that is told.
    public var severity: Severity
    /// Severities that are told; empty for all from ``severity`` on.
    public var severities: Set<Severity> = []
    /// Rules; empty for all.
    public var rules: Set<String>
    /// Networks of which it tells, their SIMs' or serving; empty for all.
    public var networks: Set<PLMN>
    /// Beginnings of quadkeys; empty for everywhere. An alarm without a place is in none of them.
    public var places: [String]

    public init(
        severity: Severity = .warning, rules: Set<String> = [], networks: Set<PLMN> = [], places: [String] = []
    ) {
        self.severity = severity
        self.rules = rules
        self.networks = networks
        self.places = places
    }

    /// Whether an alarm of these is told.
    public func takes(severity: Severity, rule: String, networks: Set<PLMN>, place: String?) -> Bool {
        severity >= self.severity && (severities.isEmpty || severities.contains(severity))
            && (rules.isEmpty || rules.contains(rule))
            && (self.networks.isEmpty || !self.networks.isDisjoint(with: networks))
            && (places.isEmpty || places.contains { place?.hasPrefix($0) ?? false })
    }
}

/// Secrets as they travel: only the notifier opens them, and only for the channel they were given for.
public struct SealedSecrets: Sendable, Equatable {
    /// Which of the notifier's keys it is sealed to (`ChannelKeyDocument.id`).
    public let key: String
    public let bytes: [UInt8]

    public init(key: String, bytes: [UInt8]) {
        self.key = key
        self.bytes = bytes
    }
}
