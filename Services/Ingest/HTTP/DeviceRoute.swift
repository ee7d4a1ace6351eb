/// The calls of the device API, by path.
enum DeviceRoute: Equatable {
    case enrol
    case reports
    case feedback
    case realtime
    case consent
    case promptPolicy
    case prompts
    case payout
    case rewards
    case impact
    /// Requests for a copy of everything; one request of that id.
    case data
    case dataRequest(Substring)
    /// Requests for erasure; one request of that id.
    case erasures
    case erasure(Substring)
    case openAPI
    case keys
    case unknown

    init(_ path: Substring) {
        switch path {
        case "/v1/reports": self = .reports
        case "/v1/feedback": self = .feedback
        case "/v1/devices": self = .enrol
        case "/v1/realtime": self = .realtime
        case "/v1/me/consent": self = .consent
        case "/v1/me/prompt-policy": self = .promptPolicy
        case "/v1/me/prompts": self = .prompts
        case "/v1/me/payout": self = .payout
        case "/v1/me/rewards": self = .rewards
        case "/v1/me/impact": self = .impact
        case "/v1/me/data": self = .data
        case "/v1/me/erasures": self = .erasures
        case "/openapi.json": self = .openAPI
        case "/.well-known/nkul-keys.json": self = .keys
        default: self = Self.request(path) ?? .unknown
        }
    }

    private static func request(_ path: Substring) -> DeviceRoute? {
        for (prefix, route) in [("/v1/me/data/", dataRequest), ("/v1/me/erasures/", erasure)]
            as [(String, (Substring) -> DeviceRoute)]
        where path.hasPrefix(prefix) && path.utf8.count > prefix.utf8.count {
            let id = path.dropFirst(prefix.count)
            if !id.contains("/") { return route(id) }
        }
        return nil
    }

    /// The methods of a path that is there; nil if there is none.
    var methods: [String]? {
        switch self {
        case .enrol, .reports, .feedback, .prompts, .data, .erasures: ["POST"]
        case .consent: ["GET", "PUT"]
        case .payout: ["PUT"]
        case .realtime, .promptPolicy, .rewards, .impact, .dataRequest, .erasure, .openAPI, .keys: ["GET"]
        case .unknown: nil
        }
    }

    /// What becomes rows: reports, feedback and the outcomes of prompts.
    var isUpload: Bool { self == .reports || self == .feedback || self == .prompts }

    /// Calls that only a device with a token may make.
    var isOfDevice: Bool {
        switch self {
        case .enrol, .openAPI, .keys, .unknown: false
        default: true
        }
    }
}
