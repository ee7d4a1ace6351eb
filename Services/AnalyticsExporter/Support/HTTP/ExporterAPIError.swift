package import Hummingbird
package import Models
internal import NIOCore
package import ServiceKit

/// Why the operators' API does not answer what was asked for; becomes a `ProblemDocument`.
package struct ExporterAPIError: Error, Equatable {
    let status: HTTPResponse.Status
    /// A stable word for programs; `type` is made of it.
    package let code: String
    /// One sentence for people, of this occurrence.
    package let detail: String
    /// The parameter or member at fault.
    package var field: String?
    /// Headers that belong to it: `Allow`, `Retry-After`, `WWW-Authenticate`.
    var headers: HTTPFields = [:]

    package init(
        _ status: HTTPResponse.Status, _ code: String, _ detail: String, field: String? = nil, headers: HTTPFields = [:]
    ) {
        self.status = status
        self.code = code
        self.detail = detail
        self.field = field
        self.headers = headers
    }

    package init(_ fault: ParameterFault) {
        self.init(.badRequest, fault.code, "\(fault.field): \(fault.detail)", field: fault.field)
    }

    /// A document that is not taken.
    package init(_ refusal: DocumentRefusal) {
        let path = refusal.problems[0].path
        self.init(
            .unprocessableContent, "invalid_document", refusal.description, field: path.isEmpty ? nil : path)
    }

    package static let unauthorized = ExporterAPIError(
        .unauthorized, "unauthorized", "a Bearer token or a session is needed", headers: [.wwwAuthenticate: "Bearer"])
    package static let notFound = ExporterAPIError(.notFound, "not_found", "there is nothing here")
    package static let busy = ExporterAPIError(
        .serviceUnavailable, "busy", "as many requests as allowed are under way", headers: [.retryAfter: "5"])
    package static let journalFull = ExporterAPIError(
        .serviceUnavailable, "journal_full", "the journal of lane operations is full, or the disk; nothing was changed",
        headers: [.retryAfter: "30"])
    package static let internalError = ExporterAPIError(
        .internalServerError, "internal_error", "the exporter could not answer; its log says why")

    /// A tenant has as many documents of a kind as it may have.
    package static func tooMany(_ kind: RecordKind, most: Int) -> ExporterAPIError {
        ExporterAPIError(
            .conflict, "too_many_documents", "a tenant has at most \(most) documents of kind \(kind.name)")
    }

    package static func methodNotAllowed(_ allowed: [HTTPRequest.Method]) -> ExporterAPIError {
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        return ExporterAPIError(.methodNotAllowed, "method_not_allowed", "allowed: \(names)", headers: [.allow: names])
    }

    /// The document as a response.
    package var response: Response {
        let document = ProblemDocument(
            code: code, title: status.reasonPhrase, status: status.code, detail: detail, field: field)
        var fields = headers
        fields[.contentType] = ProblemDocument.mediaType
        return Response(
            status: status, headers: fields,
            body: .init(byteBuffer: ByteBuffer(bytes: document.bytes + [UInt8(ascii: "\n")])))
    }
}

/// A call whose other errors are told as control errors.
package func wrapped(
    _ answer: @escaping @Sendable (JSONValue) async throws -> JSONValue
) -> @Sendable (JSONValue) async throws -> JSONValue {
    { arguments in
        do {
            return try await answer(arguments)
        } catch let problem as ExporterAPIError {
            throw ControlError(code: problem.code, message: problem.detail, field: problem.field)
        } catch {
            throw ControlError(error)
        }
    }
}
