package import Models

/// Why the device API refuses a request; becomes a `ProblemDocument` with the stable ``code`` of its reason.
public struct DeviceAPIError: Error, Sendable, Equatable {
    /// Why, for programs; `type` is `urn:nkul:problem:` and its raw value.
    public let reason: ProblemCode
    /// What is particular to this occurrence.
    public let detail: String?
    /// The field, header or parameter at fault.
    public let field: String?
    /// Seconds, for 429 and 503.
    public let retryAfter: Int?
    /// Allowed methods, for 405.
    public let allow: String?
    /// Media types or codings that would be taken, for 415.
    public let accept: String?
    /// The request for erasure that is meant, for 410.
    public let request: String?

    /// - Parameter detail: what is particular to this occurrence; nil if the title of the code says it all.
    public init(
        _ code: ProblemCode, _ detail: String? = nil, field: String? = nil, retryAfter: Int? = nil,
        allow: String? = nil, accept: String? = nil, request: String? = nil
    ) {
        reason = code
        self.detail = detail
        self.field = field
        self.retryAfter = retryAfter
        self.allow = allow
        self.accept = accept
        self.request = request
    }

    /// HTTP status.
    public var status: Int { reason.status }
    /// Stable.
    public var code: String { reason.rawValue }
    /// One sentence for people, the same for every occurrence.
    public var title: String { reason.title }

    /// For every upload of a device whose subscriber does not allow to measure.
    package static let noMeasurementConsent = DeviceAPIError(.noMeasurementConsent, field: "consent.measurement")
    package static let noRewardsConsent = DeviceAPIError(.noRewardsConsent, field: "consent.rewards")
    package static let noStandingsConsent = DeviceAPIError(.noStandingsConsent, field: "consent.standings")
    package static let guardianRequired = DeviceAPIError(.guardianRequired, field: "guardian")
    package static let malformedRequest = DeviceAPIError(.malformedRequest)
    package static let tooSlow = DeviceAPIError(.tooSlow)
    package static let busy = DeviceAPIError(.busy, retryAfter: 1)
    package static let stopping = DeviceAPIError(.stopping, retryAfter: 5)
    package static let diskFull = DeviceAPIError(.diskFull, retryAfter: 60)
    package static let failed = DeviceAPIError(.storageFailed, retryAfter: 30)

    /// - Parameter request: the erasure, if it is known.
    package static func deviceErased(_ request: String?) -> DeviceAPIError {
        DeviceAPIError(.deviceErased, request.map { "its erasure is request \($0)" }, request: request)
    }

    package static func unauthorized(_ detail: String) -> DeviceAPIError {
        DeviceAPIError(.unauthorized, detail, field: "Authorization")
    }

    /// For records of a kind that no programme here lets phones send.
    ///
    /// - Parameter known: names of those that may be sent there.
    package static func unknownKind(_ name: String, known: [String] = []) -> DeviceAPIError {
        let list = known.isEmpty ? "" : "; it takes \(known.joined(separator: ", "))"
        return DeviceAPIError(.outOfRange, "\(name) is no kind of record that phones send\(list)", field: "kind")
    }

    package static func tooLarge(_ limit: Int) -> DeviceAPIError {
        DeviceAPIError(.bodyTooLarge, "it may have \(limit) bytes")
    }

    /// For what would be written to a lane that has no room.
    package static func full(_ lane: LaneName) -> DeviceAPIError {
        DeviceAPIError(
            .journalFull,
            lane == .batch
                ? "the batch lane is full; urgent records of the upload are stored and will be found as duplicates"
                : "the \(lane.rawValue) lane is full", retryAfter: 30)
    }

    /// The document.
    package var body: [UInt8] {
        ProblemDocument(code: code, title: title, status: status, detail: detail, field: field, request: request).bytes
    }
}
