public import Models

/// Why a lane cannot go on, named so that an operator knows what to do.
public enum LaneError: Error, Sendable, Equatable {
    /// The reader's cursor is past the last block of the writer: the writer's journal was restored or lost.
    case readerAheadOfHead(lane: LaneName, after: UInt64, head: UInt64)
    /// The reader's cursor belongs to another journal than the writer has.
    case otherGeneration(lane: LaneName, expected: UInt64, found: UInt64)
    /// A block of a newer kind than this program knows.
    case newerKind(lane: LaneName, kind: String, version: UInt8, known: UInt8)
    /// A reader has no handler of a kind: it is refused, never read as another.
    case notHandled(lane: LaneName, kind: String, reader: String)
    /// A block that should follow does not.
    case gap(lane: LaneName, expected: UInt64, found: UInt64)
    /// The journal holds as many bytes as it may.
    case journalFull(lane: LaneName, bytes: Int, limit: Int)
    /// The tables of a lane were written by a newer program.
    case newerJournal(lane: LaneName, format: Int, known: Int)
    /// Effects emitted to a lane that the service does not write.
    case notWritten(lane: LaneName)
    /// A stored block is sealed and no key, or another one, is at hand.
    case unknownKey(lane: LaneName, block: UInt64, keyID: UInt32)
    /// A lane leaves the machine and a CURVE key for it is missing.
    case noKey(lane: LaneName, address: String, path: String)
    /// A message that no version of this program sends.
    case malformedMessage(what: String)
}

extension LaneError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .readerAheadOfHead(let lane, let after, let head):
            "lane \(lane.rawValue): reader is ahead of the writer's head (\(after) > \(head)): was the writer's journal restored?"
        case .otherGeneration(let lane, let expected, let found):
            "lane \(lane.rawValue): another generation (\(hex(found)) instead of \(hex(expected))): the writer's journal was replaced"
        case .newerKind(let lane, let kind, let version, let known):
            "lane \(lane.rawValue): kind \(kind) version \(version) is above \(known): upgrade this service"
        case .notHandled(let lane, let kind, let reader):
            "lane \(lane.rawValue): \(reader) does not know what to do with kind \(kind)"
        case .gap(let lane, let expected, let found):
            "lane \(lane.rawValue): block \(found) came where \(expected) should"
        case .journalFull(let lane, let bytes, let limit):
            "lane \(lane.rawValue): the journal is full (\(bytes) of \(limit) bytes)"
        case .newerJournal(let lane, let format, let known):
            "lane \(lane.rawValue): newer home: the journal has format \(format), this program knows \(known)"
        case .notWritten(let lane):
            "lane \(lane.rawValue) is not written by this service"
        case .unknownKey(let lane, let block, let keyID):
            "lane \(lane.rawValue): block \(block) is sealed by key \(hex(UInt64(keyID))), which is not at hand"
        case .noKey(let lane, let address, let path):
            "lane \(lane.rawValue): \(address) needs CURVE keys and \(path) is missing: make them once with"
                + " \"nkul lane-keys\" and copy them to every host"
        case .malformedMessage(let what):
            "malformed lane message: \(what)"
        }
    }
}

func hex(_ number: UInt64) -> String { String(number, radix: 16) }
