internal import Models

/// Why a request was refused: an RFC 9457 problem document with a stable `type` and `code`.
public struct Problem: Error, Sendable, Equatable {
    /// HTTP status.
    public let status: Int
    /// Stable; `type` is `https://nkul.dev/problems/<code>`.
    public let code: String
    /// One sentence for people.
    public let title: String
    public let detail: String?
    /// The field, header or parameter at fault.
    public let field: String?
    /// Seconds, for 503.
    public let retryAfter: Int?
    /// Allowed methods, for 405.
    public let allow: String?

    public init(
        _ status: Int, _ code: String, _ title: String, detail: String? = nil, field: String? = nil,
        retryAfter: Int? = nil,
        allow: String? = nil
    ) {
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.field = field
        self.retryAfter = retryAfter
        self.allow = allow
    }

    /// For every upload of a device whose subscriber does not allow to measure.
    static let noMeasurementConsent = Problem(
        403, "no_measurement_consent", "The subscriber has not consented to measurement", field: "consent.measurement")

    static let guardianRequired = Problem(
        422, "guardian_required", "Under 16, a guardian must have agreed", field: "guardian")

    static func unauthorized(_ detail: String) -> Problem {
        Problem(401, "unauthorized", "The request is not authenticated", detail: detail, field: "Authorization")
    }

    static func tooLarge(_ limit: Int) -> Problem {
        Problem(413, "body_too_large", "The body has more than \(limit) bytes")
    }

    static let notImplemented = Problem(501, "not_available_yet", "This call comes with a later release")
    static let malformedRequest = Problem(400, "malformed_request", "This is not an HTTP/1.1 request")
    static let tooSlow = Problem(408, "too_slow", "The request did not come in time")

    /// For what would be written to a lane that has no room.
    static func full(_ lane: LaneName) -> Problem {
        Problem(
            503, "journal_full", "The \(lane.rawValue) lane is full; try again later",
            detail: lane == .batch ? "urgent records of the upload are stored and will be found as duplicates" : nil,
            retryAfter: 30)
    }

    /// The document.
    var body: [UInt8] {
        var json = JSONWriter()
        json.raw("{\"type\":\"https://nkul.dev/problems/")
        json.raw(code)
        json.raw("\",\"title\":")
        json.string(title)
        json.raw(",\"status\":\(status),\"code\":\"\(code)\"")
        if let detail {
            json.raw(",\"detail\":")
            json.string(detail)
        }
        if let field {
            json.raw(",\"field\":")
            json.string(field)
        }
        json.raw("}")
        return json.bytes
    }
}
