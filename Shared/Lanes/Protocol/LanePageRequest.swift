/// A page of the journal that a session needs; read by another thread than the socket's.
public struct LanePageRequest: Sendable, Equatable {
    public var peer: [UInt8]
    public var session: UInt64
    public var after: UInt64
    /// Ids of the kinds the reader wants.
    public var kinds: [UInt8]
    /// What the session's credit still allows, and no more than a page.
    public var limit: Credit

    /// The largest page.
    static let largest = Credit(blocks: 64, bytes: 1 << 20)
}
