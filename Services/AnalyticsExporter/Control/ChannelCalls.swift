internal import ExporterAPI
internal import ExporterSupport
internal import Models
internal import ServiceKit

/// `channel.*` on the control socket: `set`, `list`, `remove`. Secrets come sealed to the notifier's key and are not shown.
struct ChannelCalls: Sendable {
    let channels: DocumentService

    var all: [ControlCall] {
        [
            ControlCall("channel.set", wrapped { try await set($0) }),
            ControlCall("channel.list", wrapped { _ in .array(try await channels.list(.all)) }),
            ControlCall(
                "channel.remove", wrapped { try await DocumentCalls.remove(DocumentCalls.id($0), channels) }),
        ]
    }

    /// `{id, document}`: a channel, compiled as the notifier will compile it, of a tenant that is there.
    private func set(_ arguments: JSONValue) async throws -> JSONValue {
        let id = try DocumentCalls.id(arguments)
        guard let document = arguments["document"], document.object != nil else {
            throw ControlError.argument("document", "is not a JSON object")
        }
        do { return try await channels.set(id, document, .all).shown } catch let refusal as DocumentRefusal {
            throw ControlError(refusal)
        }
    }
}
