internal import ExporterSupport
internal import Hummingbird
internal import Models
internal import NIOCore
internal import ServiceKit

/// The body of `POST /v1/session`: by what somebody logs in.
enum LogIn {
    case token(String)
    /// A one-time code, and whose it is.
    case code(String, of: Contact)

    /// A name, and the tenant's where several have a contact of it.
    struct Contact {
        let name: String
        let tenant: String?
    }

    static let mostBytes = 4_096
    static let schema: JSONValue = [
        "anyOf": [
            APISchemas.object(["token": APISchemas.text]),
            APISchemas.object(
                ["contact": APISchemas.text, "code": APISchemas.text, "tenant": APISchemas.text], optional: ["tenant"]),
        ]
    ]
    static let contactSchema = APISchemas.object(
        ["contact": APISchemas.text, "tenant": APISchemas.text], optional: ["tenant"])

    /// - Throws: ``ExporterAPIError`` 400 `invalid_body`, which names the member.
    init(_ request: Request) async throws {
        let members = try await Self.members(request)
        if members["token"] != nil || members["contact"] == nil {
            self = .token(try Self.text("token", members))
        } else {
            self = .code(try Self.text("code", members), of: try Self.contact(members))
        }
    }

    /// `{"contact": …, "tenant": …}`.
    static func contact(_ request: Request) async throws -> Contact { try contact(try await members(request)) }

    private static func contact(_ members: [String: JSONValue]) throws(ExporterAPIError) -> Contact {
        Contact(
            name: try text("contact", members), tenant: members["tenant"] == nil ? nil : try text("tenant", members))
    }

    private static func text(_ name: String, _ members: [String: JSONValue]) throws(ExporterAPIError) -> String {
        guard let text = members[name]?.string else {
            throw ExporterAPIError(.badRequest, "invalid_body", "\(name): expected text", field: name)
        }
        return text
    }

    private static func members(_ request: Request) async throws -> [String: JSONValue] {
        let body: ByteBuffer
        do { body = try await request.body.collect(upTo: mostBytes) } catch is NIOTooManyBytesError {
            throw ExporterAPIError(.contentTooLarge, "too_large", "a log-in has at most \(mostBytes) bytes")
        }
        guard let members = (try? JSONValue(bytes: Array(body.readableBytesView)))?.object else {
            throw ExporterAPIError(.badRequest, "invalid_body", "expected a JSON object")
        }
        return members
    }
}
