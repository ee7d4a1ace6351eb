extension RecordKind {
    /// That a subscriber, or an operator for one, wants a copy of everything that is held, on the `requests` lane:
    /// ``AccessRequestDocument``.
    public static let accessRequest = RecordKind(
        id: 25, name: "access_request", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.device, "device", .number(scale: 1)),
            Field(ColumnID.receivedAt, "received_at_ms", .instant, unit: "Unix ms", delta: true),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// Whose data are asked for, on the `privacy` lane, keyed by the request, until it is closed: ``AccessOrderDocument``.
    public static let accessOrder = RecordKind(
        id: 26, name: "access_order", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 96)),
            Field(ColumnID.device, "device", .number(scale: 1)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// A part of what a service holds about a device, on the lane it writes and then on `privacy`, keyed by request, service and
    /// number, until the request is closed: ``AccessPartDocument`` and the sealed bytes.
    public static let accessPart = RecordKind(
        id: 27, name: "access_part", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 96)),
            Field(ColumnID.device, "device", .number(scale: 1)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
            Field(ColumnID.sealed, "sealed", .text(maximumCharacters: .max)),
        ])
}

/// The document of a record of kind `access_request`: a subscriber, or an operator for one, wants a copy of everything.
public struct AccessRequestDocument: Codable, Sendable, Equatable {
    /// Who may ask.
    public enum Source: String, Codable, Sendable {
        case device, operatorAdmin = "operator"
    }

    public var order: AccessOrderDocument
    public var source: Source

    public init(order: AccessOrderDocument, source: Source) {
        self.order = order
        self.source = source
    }
}

/// The document of a record of kind `access_order`: what a service needs to give what it holds about a device. It stands beside
/// the device's ordinal, and goes with the request.
public struct AccessOrderDocument: Codable, Sendable, Equatable {
    /// Identifier of the request.
    public var request: String
    /// HMAC-SHA-256 of the device id under the suppression key, 64 hexadecimal digits: what the audit log names.
    public var subject: String
    /// To whom parts are sealed: the request's one-time key, X9.63, base64.
    public var publicKey: String
    /// The last blocks of ingest's lanes that may have records of before the request.
    public var barriers: [Position]
    /// When ingest committed it, Unix milliseconds.
    public var requestedAt: UnixMilliseconds
    /// When the private key is deleted and parts are worth nothing, Unix milliseconds.
    public var expiresAt: UnixMilliseconds

    public init(
        request: String, subject: String, publicKey: String, barriers: [Position], requestedAt: UnixMilliseconds,
        expiresAt: UnixMilliseconds
    ) {
        self.request = request
        self.subject = subject
        self.publicKey = publicKey
        self.barriers = barriers
        self.requestedAt = requestedAt
        self.expiresAt = expiresAt
    }

    enum CodingKeys: String, CodingKey {
        case request, subject, barriers
        case publicKey = "public_key"
        case requestedAt = "requested_at_ms"
        case expiresAt = "expires_at_ms"
    }
}

/// The document of a record of kind `access_part`: which part of whose answer to which request the sealed bytes beside it are.
public struct AccessPartDocument: Codable, Sendable, Equatable {
    public var request: String
    /// Who holds what is in it, by the name of its program without `nkul-`.
    public var service: String
    /// From 1, without gaps.
    public var index: Int
    /// True if the service has given everything with it.
    public var isLast: Bool

    public init(request: String, service: String, index: Int, isLast: Bool) {
        self.request = request
        self.service = service
        self.index = index
        self.isLast = isLast
    }

    /// The key of the record: `<request>/<service>/00001`.
    public var key: String { Self.key(request, service, index) }

    /// The key of a part's record.
    public static func key(_ request: String, _ service: String, _ index: Int) -> String {
        let digits = String(index)
        return "\(request)/\(service)/\(String(repeating: "0", count: max(0, 5 - digits.count)))\(digits)"
    }

    /// The request that a key of a part's record begins with.
    public static func request(ofKey key: some StringProtocol) -> String {
        String(key.prefix { $0 != "/" })
    }

    enum CodingKeys: String, CodingKey {
        case request, service, index
        case isLast = "is_last"
    }
}
