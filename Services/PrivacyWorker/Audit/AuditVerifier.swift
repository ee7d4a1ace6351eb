internal import Models

/// Goes through an audit log and finds edit, removal, reordering and truncation.
///
/// A value for one run: hand it all entries in the order of their numbers, then ask ``finish()``.
public struct AuditVerifier {
    private let keys: AuditKeys
    private let head: AuditHead?
    private let published: [AuditHead]
    private var met: [Int64: [UInt8]] = [:]
    private var count: Int64 = 0
    private var previous = AuditEntry.origin
    /// The first fault met so far.
    public private(set) var fault: AuditFault?

    /// - Parameters:
    ///   - head: the stored one.
    ///   - published: heads that readers were told; each must be part of the log.
    public init(keys: AuditKeys, head: AuditHead?, published: [AuditHead] = []) {
        self.keys = keys
        self.head = head
        self.published = published
        for head in published { met[head.count] = [] }
    }

    /// Takes the next entry.
    public mutating func take(_ entry: AuditEntry) {
        guard fault == nil else { return }
        count += 1
        if entry.number != count {
            fault = .wrongNumber(expected: count, found: entry.number)
        } else if entry.previous != previous {
            fault = .brokenChain(number: entry.number)
        } else if entry.hash != entry.expectedHash {
            fault = .changed(number: entry.number)
        }
        previous = entry.hash
        if met[count] != nil { met[count] = entry.hash }
    }

    /// The fault of the log, nil if it is sound.
    public func finish() -> AuditFault? {
        if let fault { return fault }
        guard let head else { return .noHead }
        guard keys.hasSigned(head) else { return .wrongSignature }
        guard head.count == count else { return .wrongLength(signed: head.count, found: count) }
        guard head.hash == previous else { return .wrongEnd(number: count) }
        for told in published {
            guard keys.hasSigned(told) else { return .falseHead(count: told.count) }
            guard met[told.count] == told.hash else { return .setBack(published: told.count, found: count) }
        }
        return nil
    }
}
