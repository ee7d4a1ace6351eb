extension RecordKind {
    /// That a subscriber, or an operator for one, wants records erased, on the `requests` lane: ``ErasureRequestDocument``.
    public static let erasureRequest = RecordKind(
        id: 19, name: "erasure_request", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.device, "device", .number(scale: 1)),
            Field(ColumnID.receivedAt, "received_at_ms", .instant, unit: "Unix ms", delta: true),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// Whom an erasure is about, on the `privacy` lane, keyed by the request, until all have signed: ``ErasureSubjectDocument``.
    public static let erasureSubject = RecordKind(
        id: 22, name: "erasure_subject", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 96)),
            Field(ColumnID.device, "device", .number(scale: 1)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// How an erasure stands, on the `privacy` lane, keyed by the request: ``ErasureOrderDocument``.
    public static let erasureOrder = RecordKind(
        id: 21, name: "erasure_order", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 96)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])

    /// That a service has executed an erasure, on the lane it writes, keyed by request and service: ``ErasureReceiptDocument``.
    public static let erasureReceipt = RecordKind(
        id: 23, name: "erasure_receipt", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 96)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}

/// The document of a record of kind `erasure_request`: what a subscriber, or an operator for one, asked for.
public struct ErasureRequestDocument: Codable, Sendable, Equatable {
    /// Who may ask.
    public enum Source: String, Codable, Sendable {
        case device, operatorAdmin = "operator", restore
    }

    public var subject: ErasureSubjectDocument
    /// When ingest committed it, Unix milliseconds.
    public var requestedAt: UnixMilliseconds
    /// When it must be completed, Unix milliseconds.
    public var dueAt: UnixMilliseconds
    public var source: Source

    public init(
        subject: ErasureSubjectDocument, requestedAt: UnixMilliseconds, dueAt: UnixMilliseconds, source: Source
    ) {
        self.subject = subject
        self.requestedAt = requestedAt
        self.dueAt = dueAt
        self.source = source
    }

    enum CodingKeys: String, CodingKey {
        case subject, source
        case requestedAt = "requested_at_ms"
        case dueAt = "due_at_ms"
    }
}

/// The document of a record of kind `erasure_subject`: what a service needs to execute an erasure. It stands beside the
/// subject's ordinal, in a row that is rewritten away when all have signed.
public struct ErasureSubjectDocument: Codable, Sendable, Equatable {
    /// Identifier of the request.
    public var request: String
    /// HMAC-SHA-256 of the device id under the suppression key, 64 hexadecimal digits: what audit and receipts name.
    public var subject: String
    public var scope: ErasureScope
    /// The last blocks of ingest's lanes that may have rows of the scope.
    public var barriers: [Position]

    public init(request: String, subject: String, scope: ErasureScope, barriers: [Position]) {
        self.request = request
        self.subject = subject
        self.scope = scope
        self.barriers = barriers
    }
}

/// The document of a record of kind `erasure_order`: how an erasure stands. Names no ordinal, and stays.
public struct ErasureOrderDocument: Codable, Sendable, Equatable {
    /// OpenDSR's states that an erasure can be in here.
    public enum State: String, Codable, Sendable {
        case pending, inProgress = "in_progress", completed
    }

    public var request: String
    /// HMAC-SHA-256 of the device id under the suppression key, 64 hexadecimal digits.
    public var subject: String
    public var scope: ErasureScope
    public var source: ErasureRequestDocument.Source
    public var state: State
    /// Unix milliseconds.
    public var requestedAt: UnixMilliseconds
    /// When it must be completed, Unix milliseconds.
    public var dueAt: UnixMilliseconds
    /// Unix milliseconds; nil until then.
    public var completedAt: UnixMilliseconds?
    /// Those that came, in the order they came.
    public var receipts: [ErasureReceiptDocument]

    public init(
        _ request: ErasureRequestDocument, state: State = .pending,
        completedAt: UnixMilliseconds? = nil, receipts: [ErasureReceiptDocument] = []
    ) {
        self.request = request.subject.request
        subject = request.subject.subject
        scope = request.subject.scope
        source = request.source
        requestedAt = request.requestedAt
        self.state = state
        dueAt = request.dueAt
        self.completedAt = completedAt
        self.receipts = receipts
    }

    enum CodingKeys: String, CodingKey {
        case request, subject, scope, source, state, receipts
        case requestedAt = "requested_at_ms"
        case dueAt = "due_at_ms"
        case completedAt = "completed_at_ms"
    }
}

/// Erasures that were ordered, to be kept where a lost home cannot take them along: `nkul admin erasure export` writes it,
/// `nkul restore` reads it.
public struct ErasureOrderList: Codable, Sendable, Equatable {
    /// What stands in every such file.
    public static let format = "nkul-erasure-orders 1"

    public var format: String
    /// When it was written, Unix milliseconds.
    public var exportedAt: UnixMilliseconds
    /// Without receipts; by time of request.
    public var orders: [ErasureOrderDocument]

    public init(_ orders: [ErasureOrderDocument], exportedAt: UnixMilliseconds) {
        format = Self.format
        self.exportedAt = exportedAt
        self.orders = orders.map { order in
            var order = order
            order.receipts = []
            return order
        }.sorted { ($0.requestedAt, $0.request) < ($1.requestedAt, $1.request) }
    }

    enum CodingKeys: String, CodingKey {
        case format, orders
        case exportedAt = "exported_at_ms"
    }
}

/// The document of a record of kind `erasure_receipt`: a service's word that nothing of a scope is left with it.
///
/// The signature is Ed25519 over ``signed``: the text can be built from the document by anybody.
public struct ErasureReceiptDocument: Codable, Sendable, Equatable {
    public var request: String
    /// HMAC-SHA-256 of the device id under the suppression key, 64 hexadecimal digits.
    public var subject: String
    /// Who signs, by the name of its program without `nkul-`.
    public var service: String
    /// The last block of the signer's own lanes that may have had rows of the scope.
    public var barriers: [Position]
    /// Records that were removed: rows of tables and of blocks.
    public var removed: Int
    /// Unix milliseconds.
    public var signedAt: UnixMilliseconds
    /// First 16 hexadecimal digits of the public key's SHA-256.
    public var keyID: String
    /// Ed25519, 128 hexadecimal digits; empty while it is not signed.
    public var signature: String

    public init(
        request: String, subject: String, service: String, barriers: [Position], removed: Int,
        signedAt: UnixMilliseconds, keyID: String, signature: String = ""
    ) {
        self.request = request
        self.subject = subject
        self.service = service
        self.barriers = barriers
        self.removed = removed
        self.signedAt = signedAt
        self.keyID = keyID
        self.signature = signature
    }

    /// What the signature is over: one field a line, UTF-8, each line ended by a line feed.
    ///
    ///     nkul erasure receipt 1
    ///     <request>
    ///     <subject>
    ///     <service>
    ///     <lane>/<generation>/<block>, one line a barrier
    ///     <removed>
    ///     <signed at, Unix milliseconds>
    ///     <key id>
    public var signed: [UInt8] {
        let lines =
            ["nkul erasure receipt 1", request, subject, service] + barriers.map(\.text)
            + [String(removed), String(signedAt), keyID]
        return Array(lines.map { $0 + "\n" }.joined().utf8)
    }

    enum CodingKeys: String, CodingKey {
        case request, subject, service, barriers, removed, signature
        case signedAt = "signed_at_ms"
        case keyID = "key_id"
    }
}
