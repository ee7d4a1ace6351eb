internal import IngestSupport
public import IngestUploads
public import Models
internal import ServiceKit

/// That a provider of rewards has called back: the dispatcher is told which order to ask about. Tells of no device.
public struct CallbackChange: Sendable, Equatable {
    let document: ProviderCallbackDocument

    public init(_ document: ProviderCallbackDocument) { self.document = document }
}

extension CallbackChange: IngestCommand {
    public static var stage: CommandStage { .paying }

    /// - Returns: when it was taken.
    public func apply(in commit: inout CommandCommit) throws -> Result<UnixMilliseconds, DeviceAPIError> {
        guard !commit.isFull else { return .failure(.full(.requests)) }
        try commit.tell(.providerCallback, of: nil, document)
        commit.count { $0.callbacks.add() }
        return .success(commit.now)
    }
}
