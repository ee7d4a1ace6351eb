public import Models

/// A consent as it came by the requests lane.
public struct ConsentRecord: Sendable, Equatable {
    /// The device's ordinal.
    public let device: Int64
    /// When ingest committed it.
    public let receivedAt: UnixMilliseconds
    public let document: ConsentDocument

    public init(device: Int64, receivedAt: UnixMilliseconds, document: ConsentDocument) {
        self.device = device
        self.receivedAt = receivedAt
        self.document = document
    }
}
