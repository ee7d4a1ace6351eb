internal import ExporterSupport
internal import HTTPTypes
internal import Hummingbird
internal import Models
internal import ServiceKit

/// A call of the operators' API: where it is, what it does, and what its document says of it.
struct ExporterRoute: Sendable {
    /// What calls are about.
    enum Tag: String, CaseIterable {
        case session, rows, statistics, alarms, tmf642, sites, erasure, administration, documents

        var meaning: String {
            switch self {
            case .session: "who is logged in"
            case .rows: "raw rows and files of them"
            case .statistics: "what is counted of all rows"
            case .alarms: "alarms, and what contacts do about them"
            case .tmf642: "the same by the names of TM Forum TMF642 v4; also under `\(TMF642.alias)`"
            case .sites: "sites with sensors and doors, and what they are to do"
            case .erasure: "what is to be deleted, and what was"
            case .administration: "what managers set for their tenant"
            case .documents: "this document and the page"
            }
        }
    }

    /// Who is answered.
    enum Access: Sendable {
        /// Contacts.
        case contacts(@Sendable (ExporterCall) async throws -> Response)
        /// Contacts, and in another way who proves nothing: browsers log each 401 as an error.
        case contactsOrNobody(
            @Sendable (ExporterCall) async throws -> Response, nobody: @Sendable () throws -> Response)
        /// Whoever asks; nothing that is given as a proof is looked at.
        case anybody(@Sendable (Request, AddressPrefix) async throws -> Response)
    }

    let method: HTTPRequest.Method
    /// A template with the names of its variable parts in braces: `/v1/alarms/{id}`.
    let path: String
    /// Whether the name in it is a number (of a site, a sensor, a door).
    var isNumbered: Bool { ["/v1/sites/", "/v1/sensors/", "/v1/doors/"].contains { path.hasPrefix($0) } }
    /// Name of the call in clients that are generated from the document.
    let id: String
    let tag: Tag
    /// One line.
    let summary: String
    var description = ""
    var parameters: [APIParameter] = []
    var body: APIBody?
    /// Answers that are no problems.
    let answers: [APIAnswer]
    /// Problems of this call beside those that every call may have, by status.
    var problems: [Int: String] = [:]
    let access: Access

    init(
        _ method: HTTPRequest.Method, _ path: String, _ id: String, _ tag: Tag, _ summary: String,
        description: String = "", parameters: [APIParameter] = [], body: APIBody? = nil, answers: [APIAnswer],
        problems: [Int: String] = [:], access: Access
    ) {
        self.method = method
        self.path = path
        self.id = id
        self.tag = tag
        self.summary = summary
        self.description = description
        self.parameters = parameters
        self.body = body
        self.answers = answers
        self.problems = problems
        self.access = access
    }

    /// A call of contacts.
    init(
        _ method: HTTPRequest.Method, _ path: String, _ id: String, _ tag: Tag, _ summary: String,
        description: String = "", parameters: [APIParameter] = [], body: APIBody? = nil, answers: [APIAnswer],
        problems: [Int: String] = [:], _ action: @escaping @Sendable (ExporterCall) async throws -> Response
    ) {
        self.init(
            method, path, id, tag, summary, description: description, parameters: parameters, body: body,
            answers: answers, problems: problems, access: .contacts(action))
    }
}

extension ExporterRoute {
    /// - Throws: ``ParameterFault`` if the request has a parameter that is not described, or one twice that is no list.
    func checkParameters(of request: Request) throws(ParameterFault) {
        let described = parameters.filter { $0.place == .query }
        _ = try QueryParameters(
            request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) },
            known: described.map(\.name), repeated: described.filter(\.isList).map(\.name))
    }
}

/// A request that has found its call.
struct ExporterCall: Sendable {
    let request: Request
    let caller: Caller
    let now: UnixMilliseconds
    /// The variable parts of the path, by their names.
    let names: [String: String]

    /// The part of the path that stands where the template has a name.
    subscript(name: String) -> String { names[name] ?? "" }

    var tenant: Tenant { caller.tenant }
    var scope: NetworkScope { caller.tenant.scope }
}
