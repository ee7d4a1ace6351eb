internal import Models
internal import ServiceKit

/// `rewards.callback` on the control socket: where the provider calls back, for its portal. Whoever may ask there may read the keys.
struct CallbackCalls: Sendable {
    /// Nil for one that does not call.
    let provider: String?
    let secrets: CallbackSecrets

    var all: [ControlCall] {
        [
            .typed("rewards.callback", JSONValue.self) { _ -> JSONValue in
                guard let provider else {
                    throw ControlError.refused("the provider in use is part of this home and does not call back")
                }
                return ["provider": .string(provider), "path": .string(secrets.path(of: provider))]
            }
        ]
    }
}
