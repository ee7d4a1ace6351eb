internal import NIOPosix
internal import ServiceKit
internal import Storage

/// `device.failures` on the control socket: who failed to authenticate.
struct FailureCalls: Sendable {
    let reader: ReadOnlyDatabase

    var all: [ControlCall] { [.typed("device.failures", JSONValue.self) { _ in try await newest() }] }

    /// The last `FailedAuthentication.shown`, the newest first.
    func newest() async throws -> JSONValue {
        .array(
            try await NIOThreadPool.singleton.runIfActive { [reader] in try reader.read(FailedAuthentication.newest) }
                .map(\.document))
    }
}
