/// What a request asks for.
enum DeviceRoute: Equatable {
    case enrol
    case reports
    case feedback
    /// Described, but part of a later release.
    case later
    case unknown

    /// The methods of a path that is there.
    var method: String? {
        switch self {
        case .enrol, .reports, .feedback: "POST"
        case .later, .unknown: nil
        }
    }

    init(_ path: Substring) {
        switch path {
        case "/v1/reports": self = .reports
        case "/v1/feedback": self = .feedback
        case "/v1/devices": self = .enrol
        case "/openapi.json", "/v1/realtime", "/.well-known/nkul-keys.json": self = .later
        default: self = path.hasPrefix("/v1/me/") ? .later : .unknown
        }
    }
}
