package import Models

/// The paths of the device API; the raw value is the path as a template, with the names of its variable parts in braces.
///
/// Those that take records are the programmes' (``RecordPaths``); ``records`` stands for all of them.
package enum DeviceRoute: String, CaseIterable {
    case enrol = "/v1/devices"
    case records = "/v1/{kind}"
    case geosubmit = "/v2/geosubmit"
    case realtime = "/v1/realtime"
    /// Speed tests, as ndt7 has them.
    case download = "/ndt/v7/download"
    case upload = "/ndt/v7/upload"
    /// Latency, idle and beside a speed test.
    case echo = "/v1/echo"
    case consent = "/v1/me/consent"
    case promptPolicy = "/v1/me/prompt-policy"
    case samplingPolicy = "/v1/me/sampling-policy"
    case payout = "/v1/me/payout"
    /// A second proof before copies and erasures.
    case passkey = "/v1/me/passkey"
    case uploadKey = "/v1/me/upload-key"
    /// Questions by Web Push.
    case push = "/v1/me/push"
    case rewards = "/v1/me/rewards"
    case impact = "/v1/me/impact"
    case progress = "/v1/me/progress"
    case nickname = "/v1/me/nickname"
    case standings = "/v1/standings"
    /// Requests for a copy of everything; one of them.
    case data = "/v1/me/data"
    case dataRequest = "/v1/me/data/{request_id}"
    /// Requests for erasure; one of them.
    case erasures = "/v1/me/erasures"
    case erasure = "/v1/me/erasures/{request_id}"
    /// Where providers of rewards call back; known by a secret in the path.
    case callback = "/v1/callbacks/{provider}/{secret}"
    /// The privacy policy, and the operators of the country: for who has not enrolled yet.
    case policy = "/v1/policy"
    case operators = "/v1/operators"
    case openAPI = "/openapi.json"
    case keys = "/.well-known/nkul-keys.json"
    /// Where there is nothing.
    case unknown = ""

    /// The route of a path that takes no records.
    init(_ path: Substring) { self = Self.exact[path] ?? Self.request(path) ?? .unknown }

    /// What there is, by its path.
    private static let exact = Dictionary(
        uniqueKeysWithValues: allCases.filter { $0 != .unknown && $0 != .records }.map { ($0.rawValue[...], $0) })

    private static func request(_ path: Substring) -> DeviceRoute? {
        guard let slash = path.lastIndex(of: "/"), path.index(after: slash) < path.endIndex else { return nil }
        switch path[..<slash] {
        case "/v1/me/data": return .dataRequest
        case "/v1/me/erasures": return .erasure
        case let parent where provider(parent) != nil: return .callback
        default: return nil
        }
    }

    /// The provider in a path that begins like that of ``callback`` and has no secret.
    static func provider(_ path: Substring) -> Substring? {
        let beginning = "/v1/callbacks/"
        guard path.hasPrefix(beginning) else { return nil }
        let name = path.dropFirst(beginning.count)
        return name.isEmpty || name.utf8.count > 32 || name.contains("/") ? nil : name
    }

    /// The methods of a path that is there; nil if there is none. Where there is GET there is HEAD.
    package var methods: [String]? {
        switch self {
        case .enrol, .records, .geosubmit, .uploadKey, .data, .erasures: ["POST"]
        case .consent: ["GET", "PUT"]
        case .callback: ["POST", "PUT"]
        case .payout, .nickname: ["PUT"]
        case .passkey: ["GET", "POST", "PUT", "DELETE"]
        case .push: ["GET", "PUT", "DELETE"]
        case .realtime, .download, .upload, .echo, .promptPolicy, .samplingPolicy, .rewards, .impact, .progress,
            .standings, .dataRequest, .erasure, .policy, .operators, .openAPI, .keys:
            ["GET"]
        case .unknown: nil
        }
    }

    /// What the path has, as the field `Allow` says it, if it does not have a method.
    func refusal(of method: String) -> String? {
        guard let methods, !methods.contains(method) else { return nil }
        guard methods.contains("GET") else { return methods.joined(separator: ", ") }
        return method == "HEAD" ? nil : methods.joined(separator: ", ").replacing("GET", with: "GET, HEAD")
    }

    /// What becomes rows.
    package var isUpload: Bool { self == .records || self == .geosubmit }

    /// Calls that only a device with a token may make, or with an upload key.
    package var isOfDevice: Bool {
        switch self {
        case .enrol, .callback, .download, .upload, .echo, .policy, .operators, .openAPI, .keys, .unknown: false
        default: true
        }
    }
}

/// Where phones send which kind of records. Immutable; used by all threads.
package struct RecordPaths: Sendable {
    /// Few, and most requests have the first.
    private let paths: [(path: String, kind: RecordKind)]

    /// - Throws: ``ProgrammeError`` if a kind's path is one of the device API's own.
    package init(_ programmes: Programmes) throws(ProgrammeError) {
        for kind in programmes.kinds where DeviceRoute(kind.path[...]) != .unknown {
            let programme = programmes.programme(of: kind.kind.id)?.name ?? ""
            throw ProgrammeError(programme, "kind \(kind.kind.name): \(kind.path) is another call of the device API")
        }
        paths = programmes.kinds.map { ($0.path, $0.kind) }
    }

    /// The kind whose records a path takes; nil if it takes none.
    func kind(_ path: Substring) -> RecordKind? { paths.first { $0.path == path }?.kind }
}
