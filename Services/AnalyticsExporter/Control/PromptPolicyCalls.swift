internal import ExporterAPI
internal import ExporterSupport
internal import ServiceKit

/// `prompt-policy.set` and `prompt-policy.show` on the control socket.
struct PromptPolicyCalls: Sendable {
    let service: PromptPolicyService

    var all: [ControlCall] {
        [
            ControlCall("prompt-policy.set", wrapped { try await set($0) }),
            ControlCall("prompt-policy.show", wrapped { _ in try await show() }),
        ]
    }

    /// `{document}`: a policy whose `version` is above that of the one in force.
    func set(_ arguments: JSONValue) async throws -> JSONValue {
        guard let document = arguments["document"] else { throw ControlError.argument("document", "is missing") }
        return try await service.set(document)
    }

    /// The document in force.
    func show() async throws -> JSONValue { try await service.show() }
}
