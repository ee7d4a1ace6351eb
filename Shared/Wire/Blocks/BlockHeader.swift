/// What is known of a block without opening it.
///
/// `generation` and `number` are its position in its lane; the payload's lengths and checksum are those of the clear,
/// compressed payload.
public struct BlockHeader: Sendable, Equatable {
    /// The generation of the journal, random, renewed when a journal is restored or lost.
    public var generation: UInt64
    /// Rises by one a block from 1.
    public var number: UInt64
    /// The number of the block before this one in the journal; smaller by more than one after compaction.
    public var previous: UInt64
    /// Id of the record kind.
    public var kind: UInt8
    /// Version of the record kind.
    public var kindVersion: UInt8
    /// Rows in the payload.
    public var rowCount: Int
    /// Rows that are still meant: fewer than `rowCount` after an erasure or a compaction.
    public var keptRows: Int
    /// The key that sealed the stored payload; 0 is clear.
    public var keyID: UInt32
    /// When the block was committed, Unix milliseconds.
    public var committedAt: Int64
    /// The device ordinals in the block, ascending and distinct.
    public var subjects: [UInt64]
    /// Bytes of the payload's deflated section, inflated.
    public var rawLength: Int
    /// CRC-32 of the clear, compressed payload.
    public var crc32: UInt32

    /// A header; traps unless `subjects` ascend.
    public init(
        generation: UInt64, number: UInt64, previous: UInt64, kind: UInt8, kindVersion: UInt8, rowCount: Int,
        keptRows: Int, keyID: UInt32, committedAt: Int64, subjects: [UInt64], rawLength: Int, crc32: UInt32
    ) {
        precondition(zip(subjects, subjects.dropFirst()).allSatisfy { $0.0 < $0.1 }, "subjects must ascend")
        self.generation = generation
        self.number = number
        self.previous = previous
        self.kind = kind
        self.kindVersion = kindVersion
        self.rowCount = rowCount
        self.keptRows = keptRows
        self.keyID = keyID
        self.committedAt = committedAt
        self.subjects = subjects
        self.rawLength = rawLength
        self.crc32 = crc32
    }
}
