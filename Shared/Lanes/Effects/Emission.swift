public import Models
public import Wire

/// What the effects of one transaction append to the lanes the service writes.
///
/// Small tables are merged until the transaction ends; large ones go to the journal as they come, inside the transaction,
/// so that memory is bounded by blocks and not by what a transaction emits.
public struct Emission {
    /// Bytes of a table from which it goes to the journal at once.
    static let large = 32_768
    private var builders: [LaneName: BlockBuilder] = [:]
    private var appended: [(lane: LaneName, blocks: [Block])] = []
    private let full: Set<LaneName>
    private let journal: (LaneName, RecordKind, Columns) throws -> [Block]

    /// - Parameters:
    ///   - full: lanes that were full when the transaction began.
    ///   - journal: appends a table in the running transaction and returns its blocks.
    public init(full: Set<LaneName> = [], journal: @escaping (LaneName, RecordKind, Columns) throws -> [Block]) {
        self.full = full
        self.journal = journal
    }

    /// Whether input from outside that leads to rows of a lane must be refused. What blocks lead to is appended all the same.
    public func isFull(_ lane: LaneName) -> Bool { full.contains(lane) }

    /// Adds rows to a lane; rows of one lane and kind keep the order in which they are added.
    public mutating func append(to lane: LaneName, kind: RecordKind, columns: Columns) throws {
        guard columns.byteCount >= Self.large else {
            return builders[lane, default: BlockBuilder()].append(kind: kind, columns: columns)
        }
        try flush(lane)
        try write(lane, kind, columns)
    }

    /// Appends what is left, lanes in the order of their numbers (realtime first); returns all blocks of the transaction.
    public mutating func finish() throws -> [(lane: LaneName, blocks: [Block])] {
        for lane in builders.keys.sorted(by: { $0.id < $1.id }) { try flush(lane) }
        return appended
    }

    private mutating func flush(_ lane: LaneName) throws {
        guard var builder = builders.removeValue(forKey: lane) else { return }
        for table in builder.take() { try write(lane, table.kind, table.columns) }
    }

    private mutating func write(_ lane: LaneName, _ kind: RecordKind, _ columns: Columns) throws {
        appended.append((lane: lane, blocks: try journal(lane, kind, columns)))
    }
}
