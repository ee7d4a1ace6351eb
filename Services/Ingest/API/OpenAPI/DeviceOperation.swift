internal import IngestSupport
internal import IngestUploads
internal import Models
internal import ServiceKit

/// A call of the device API as its OpenAPI document describes it: one for each path and method of ``DeviceRoute``.
struct DeviceOperation: Sendable {
    let route: DeviceRoute
    /// Of ``DeviceRoute/records``: that of the kind.
    var recordPath: String?
    let method: String
    /// Name of the call in clients that are generated from the document.
    let id: String
    /// One line.
    let summary: String
    /// What a client's author has to know beyond it, in Markdown.
    var description = ""
    var parameters: [JSONValue] = []
    /// What the body may be, by media type, in the order of preference; empty if the call takes none.
    var bodies: [APIBody] = []
    /// Answers that are no problems.
    var answers: [APIAnswer] = []
    /// Problems of this call beside those that every call may have.
    var problems: [ProblemCode] = []
    /// True if a device that enrolled with a key signs the call.
    var isSigned = false

    /// Every call of the device API.
    static func all(_ programmes: Programmes) -> [DeviceOperation] {
        programmes.kinds.map(upload) + realtime(programmes) + geosubmit + speedTests + devices + subscribers + requests
            + passkeys + push + callbacks + beginning + documents
    }

    /// As a template.
    var path: String { recordPath ?? route.rawValue }

    /// What may become of any request before its call sees it.
    static let problemsOfEveryCall: [ProblemCode] = [
        .malformedRequest, .tooSlow, .bodyTooLarge, .uriTooLong, .headerTooLarge, .rateLimited, .busy, .stopping,
    ]

    /// All problems that this call may have.
    var allProblems: [ProblemCode] {
        var codes = Self.problemsOfEveryCall + problems
        if route.isOfDevice { codes += [.unauthorized, .deviceErased, .storageFailed] }
        if isSigned { codes += [.signatureRequired, .signatureInvalid, .signatureExpired] }
        return ProblemCode.allCases.filter(codes.contains)
    }
}
