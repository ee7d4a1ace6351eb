public import Models

/// A subject whose records a service is to forget: whom, what of it, and for which request.
public struct ErasureSubject: Sendable, Equatable {
    /// The device's ordinal.
    public let device: UInt64
    public let document: ErasureSubjectDocument

    public init(device: UInt64, document: ErasureSubjectDocument) {
        self.device = device
        self.document = document
    }

    public var request: String { document.request }
    public var scope: ErasureScope { document.scope }
}
