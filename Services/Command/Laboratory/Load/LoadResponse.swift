public import NIOCore

/// An answer of the service.
public struct LoadResponse: Sendable {
    /// HTTP status.
    public let status: Int
    /// `Retry-After` in seconds, if the service gave one.
    public let retryAfter: Int?
    public let body: ByteBuffer

    /// The body as text.
    public var text: String { String(buffer: body) }
}
