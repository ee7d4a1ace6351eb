/// What a request asks for.
enum DeviceRoute: Equatable {
    case enrol
    case reports
    case feedback
    case consent
    case rewards
    /// Described, but part of a later release.
    case later
    case unknown

    /// The methods of a path that is there; nil if any is answered the same.
    var methods: [String]? {
        switch self {
        case .enrol, .reports, .feedback: ["POST"]
        case .consent: ["GET", "PUT"]
        case .rewards: ["GET"]
        case .later, .unknown: nil
        }
    }

    /// Reports and feedback.
    var isUpload: Bool { self == .reports || self == .feedback }

    /// Calls that only a device with a token may make.
    var isOfDevice: Bool {
        switch self {
        case .reports, .feedback, .consent, .rewards: true
        case .enrol, .later, .unknown: false
        }
    }

    init(_ path: Substring) {
        switch path {
        case "/v1/reports": self = .reports
        case "/v1/feedback": self = .feedback
        case "/v1/devices": self = .enrol
        case "/v1/me/consent": self = .consent
        case "/v1/me/rewards": self = .rewards
        case "/openapi.json", "/v1/realtime", "/.well-known/nkul-keys.json": self = .later
        default: self = path.hasPrefix("/v1/me/") ? .later : .unknown
        }
    }
}
