import GRDB
import Lanes
import Models
import QoE
import Storage
import Testing
import Wire

/// A table of handlers takes the kinds that are in it, and refuses all others by their names.
@Suite struct EffectHandlersTests {
    /// Counts rows of reports and feedback by table; prompts are stored before.
    private final class Counter: BlockEffects {
        private static let handlers = EffectHandlers<Counter>(
            "counter", stored: [.prompt],
            [.report: { counter, block, transaction in counter.rows.append((block.columns.rowCount, transaction.now)) }]
        )
        private(set) var rows: [(count: Int, now: UnixMilliseconds)] = []
        private var decoder = ColumnDecoder()

        func require(_ kind: RecordKind, on lane: LaneName) throws { try Self.handlers.require(kind, on: lane) }

        func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws {
            var counter = self
            for block in blocks { try Self.handlers.handle(block, &decoder, with: &counter, in: &transaction) }
        }
    }

    private let database: ServiceDatabase

    init() throws { database = try ServiceDatabase(path: ":memory:", migrations: []) }

    private func engine(_ effects: Counter, _ kinds: [RecordKind]) throws -> EffectEngine {
        try EffectEngine(
            database: database, reads: [LaneSubscription(lane: .batch, kinds: kinds)], journals: [], effects: effects)
    }

    private func block(_ number: UInt64, _ kind: UInt8) throws -> LaneBlock {
        var encoder = ColumnEncoder()
        let encoded = try encoder.encode(
            Columns(rowCount: 1, columns: [Column(id: ColumnID.device, values: [Int64(1)])]))
        let header = BlockHeader(
            generation: 7, number: number, previous: number - 1, kind: kind, kindVersion: 1, rowCount: 1, keptRows: 1,
            keyID: 0, committedAt: 0, subjects: [1], rawLength: encoded.rawLength, crc32: encoded.crc32)
        return LaneBlock(lane: .batch, block: Block(header: header, payload: encoded.payload))
    }

    @Test func `a kind in the table is handled with the transaction's time, one that is stored is passed over`() throws
    {
        let counter = Counter(), engine = try engine(counter, [.report, .prompt])
        try engine.step([try block(1, RecordKind.report.id)], now: 7)
        #expect(counter.rows.map(\.count) == [1] && counter.rows.map(\.now) == [7])
        try engine.step([try block(2, RecordKind.prompt.id)], now: 8)
        #expect(counter.rows.count == 1 && engine.cursor(.batch)?.block == 2)
    }

    @Test func `a subscription to a kind without a handler is refused at the start`() throws {
        #expect(throws: LaneError.notHandled(lane: .batch, kind: "feedback", reader: "counter")) {
            try engine(Counter(), [.report, .feedback])
        }
    }

    @Test func `a block of a kind without a handler is refused, and the cursor stays`() throws {
        let engine = try engine(Counter(), [.report])
        #expect(throws: LaneError.notHandled(lane: .batch, kind: "2", reader: "counter")) {
            try engine.step([try block(1, RecordKind.feedback.id)], now: 1)
        }
        #expect(throws: LaneError.notHandled(lane: .batch, kind: "251", reader: "counter")) {
            try engine.step([try block(1, 251)], now: 1)
        }
        #expect(engine.cursor(.batch) == nil)
    }
}
