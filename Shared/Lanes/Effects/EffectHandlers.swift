public import Models
public import Wire

/// What a reader does with each kind of record that it reads: a table, kind → handler.
///
/// A kind that is not in the table is refused, never read as another. `Round` is what the handlers of a transaction share: the
/// effects themselves, or what one transaction gathers.
public struct EffectHandlers<Round>: Sendable {
    /// Has the effects of one block.
    public typealias Handler =
        @Sendable (_ round: inout Round, _ block: ReadBlock, _ transaction: inout EffectTransaction) throws -> Void

    /// The service, by the name of its program without `nkul-`.
    public let reader: String
    private let stored: Set<UInt8>
    private let handlers: [UInt8: Handler]

    /// - Parameter stored: kinds whose rows went to files of their own before the transaction, and have no effect in it.
    public init(_ reader: String, stored: [RecordKind] = [], _ handlers: [RecordKind: Handler] = [:]) {
        self.reader = reader
        self.stored = Set(stored.map(\.id))
        self.handlers = Dictionary(uniqueKeysWithValues: handlers.map { ($0.id, $1) })
    }

    /// Whether blocks of a kind, by its number, have a handler.
    public func takes(_ kind: UInt8) -> Bool { handlers[kind] != nil || stored.contains(kind) }

    /// - Throws: ``LaneError/notHandled(lane:kind:reader:)`` if blocks of the kind would be refused.
    public func require(_ kind: RecordKind, on lane: LaneName) throws {
        guard takes(kind.id) else {
            throw LaneError.notHandled(lane: lane, kind: kind.name, reader: reader)
        }
    }

    /// Has the effects of a block.
    ///
    /// - Throws: ``LaneError/notHandled(lane:kind:reader:)``, `WireError`, errors of the handler.
    public func handle(
        _ block: LaneBlock, _ decoder: inout ColumnDecoder, with round: inout Round,
        in transaction: inout EffectTransaction
    ) throws {
        let kind = block.block.header.kind
        guard !stored.contains(kind) else { return }
        guard let handler = handlers[kind] else {
            throw LaneError.notHandled(
                lane: block.lane, kind: RecordKind.platform(kind)?.name ?? String(kind), reader: reader)
        }
        try handler(&round, ReadBlock(block, columns: block.block.columns(with: &decoder)), &transaction)
    }
}

/// A block in the hands of the handler of its kind.
public struct ReadBlock {
    public let lane: LaneName
    public let header: BlockHeader
    /// Its rows, decoded.
    public let columns: Columns

    init(_ block: LaneBlock, columns: Columns) {
        lane = block.lane
        header = block.block.header
        self.columns = columns
    }

    /// Lane, generation and number: unique for ever.
    public var position: Position { Position(lane: lane, generation: header.generation, block: header.number) }
}
