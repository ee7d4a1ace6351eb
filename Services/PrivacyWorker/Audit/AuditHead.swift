public import Models

/// How long the log is and how it ends, signed: without it, entries cut off the end would not be missed.
public struct AuditHead: Sendable, Equatable {
    /// Entries of the log.
    public var count: Int64
    /// Hash of the last entry.
    public var hash: [UInt8]
    /// When the last entry was written.
    public var at: UnixMilliseconds
    /// Ed25519 over ``signed``, 64 bytes.
    public var signature: [UInt8]

    /// The bytes that are signed: "nkul-audit-head-1" │ count u64 │ at i64 │ hash, 32 bytes (big-endian).
    var signed: [UInt8] {
        Array("nkul-audit-head-1".utf8) + withUnsafeBytes(of: count.bigEndian, Array.init)
            + withUnsafeBytes(of: at.bigEndian, Array.init) + hash
    }

    /// As it travels on the privacy lane.
    public var document: AuditHeadDocument {
        AuditHeadDocument(count: count, hash: Hexadecimal.text(hash), atMs: at, signature: Hexadecimal.text(signature))
    }

    init(count: Int64, hash: [UInt8], at: UnixMilliseconds, signature: [UInt8]) {
        self.count = count
        self.hash = hash
        self.at = at
        self.signature = signature
    }

    /// As it came by the lane; a text that is not hexadecimal is no bytes, which are no signature's.
    init(_ document: AuditHeadDocument) {
        self.init(
            count: document.count, hash: Hexadecimal.bytes(document.hash) ?? [], at: document.atMs,
            signature: Hexadecimal.bytes(document.signature) ?? [])
    }
}
