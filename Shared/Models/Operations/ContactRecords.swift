extension RecordKind {
    /// What a contact did that is told to nobody but the audit log, on the `operations` lane: ``ContactActDocument``, keyed by its
    /// random id. Without document: too old.
    public static let contactAct = RecordKind(
        id: 46, name: "contact_act", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 64)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// A one-time code that a contact is to be told, on the `operations` lane: ``LoginCodeDocument``, keyed by `tenant/contact`. Without
    /// document: it was used, or is over.
    public static let loginCode = RecordKind(
        id: 47, name: "login_code", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 160)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}

/// The document of a record of kind `contact_act`. Never with what was set, only with what it is called.
public struct ContactActDocument: Codable, Sendable, Equatable {
    /// For so long the lane has it; the audit log keeps it as long as any entry.
    public static let age: UnixMilliseconds = 30 * 86_400_000

    /// Whose contact it is; `nkul admin` acts for none.
    public var tenant: String
    public var contact: String
    /// `rule.set`, `site.removed`, `session.code_sent`.
    public var act: String
    /// The name of what was set or removed; empty where there is none.
    public var target: String
    public var at: UnixMilliseconds

    public init(tenant: String, contact: String, act: String, target: String, at: UnixMilliseconds) {
        self.tenant = tenant
        self.contact = contact
        self.act = act
        self.target = target
        self.at = at
    }

    enum CodingKeys: String, CodingKey {
        case tenant, contact, act, target
        case at = "at_ms"
    }
}

/// The document of a record of kind `login_code`: a code that only the notifier can read.
public struct LoginCodeDocument: Codable, Sendable, Equatable {
    /// For so long a code is good for a log-in.
    public static let lifetime: UnixMilliseconds = 300_000

    /// Random, the same at each try to tell it.
    public var id: String
    public var tenant: String
    public var contact: String
    /// Which of the notifier's keys it is sealed to (``ChannelKeyDocument/id``).
    public var key: String
    /// Base64.
    public var sealed: String
    /// When it was asked for.
    public var at: UnixMilliseconds

    public init(id: String, tenant: String, contact: String, key: String, sealed: String, at: UnixMilliseconds) {
        self.id = id
        self.tenant = tenant
        self.contact = contact
        self.key = key
        self.sealed = sealed
        self.at = at
    }

    enum CodingKeys: String, CodingKey {
        case id, tenant, contact, key, sealed
        case at = "at_ms"
    }
}
