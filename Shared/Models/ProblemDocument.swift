/// Why a request was not done, as RFC 9457 has it: the body of every answer of type `application/problem+json`.
public struct ProblemDocument: Sendable, Equatable {
    public static let mediaType = "application/problem+json"

    /// A stable word for programs; `type` is `urn:nkul:problem:` and this.
    public let code: String
    /// One sentence for people, the same for every occurrence.
    public let title: String
    /// HTTP status.
    public let status: Int
    /// What is particular to this occurrence.
    public let detail: String?
    /// The member, header or parameter at fault.
    public let field: String?
    /// The request for erasure that is meant.
    public let request: String?

    public init(
        code: String, title: String, status: Int, detail: String?, field: String? = nil, request: String? = nil
    ) {
        self.code = code
        self.title = title
        self.status = status
        self.detail = detail
        self.field = field
        self.request = request
    }

    /// The document as JSON.
    public var bytes: [UInt8] {
        var json = JSONWriter()
        json.raw("{\"type\":\"urn:nkul:problem:")
        json.raw(code)
        json.raw("\",\"title\":")
        json.string(title)
        json.raw(",\"status\":\(status),\"code\":\"\(code)\"")
        for (name, value) in [("detail", detail), ("field", field), ("request_id", request)] {
            guard let value else { continue }
            json.raw(",\"\(name)\":")
            json.string(value)
        }
        json.raw("}")
        return json.bytes
    }
}
