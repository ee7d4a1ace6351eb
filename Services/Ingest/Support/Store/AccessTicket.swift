public import Models

/// A request for a copy of everything as ingest knows it.
public struct AccessTicket: Sendable, Equatable {
    /// A UUID as text.
    public let request: String
    /// The device's ordinal.
    package let device: UInt64
    public let requestedAt: UnixMilliseconds
    /// When the private key is deleted.
    public let expiresAt: UnixMilliseconds
    /// Who asked.
    package let source: AccessRequestDocument.Source
    /// False if the private key is deleted already: its time is over, or an erasure came between.
    public let isOpen: Bool

    package init(
        request: String, device: UInt64, requestedAt: UnixMilliseconds, expiresAt: UnixMilliseconds,
        source: AccessRequestDocument.Source, isOpen: Bool
    ) {
        self.request = request
        self.device = device
        self.requestedAt = requestedAt
        self.expiresAt = expiresAt
        self.source = source
        self.isOpen = isOpen
    }

    /// Whether the copy can still be read at a time.
    package func isOpen(at now: UnixMilliseconds) -> Bool { isOpen && now < expiresAt }
}
