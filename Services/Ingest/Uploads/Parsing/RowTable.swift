internal import CSimdjson
internal import Models
internal import Wire

/// The fields of a kind as the parser in C++ wants them, and where each lands in a ``RowScratch``.
///
/// The first slots are `kind.fields` in their order; behind them lie other spellings: `captured_at_ms`, and those of the kind.
/// Immutable; used by all threads.
final class RowTable: @unchecked Sendable {  // `handle` points to an immutable C++ object that lives as long as this
    /// A slot with values that end in a column: what is needed of its field for each upload. Without references, as it is
    /// copied for each column of each upload.
    struct Target {
        let slot: Int
        let column: UInt8
        let encoding: ColumnEncoding
        let storage: Field.Storage
        /// What its numbers may be; nil if it has none.
        let range: ClosedRange<Int64>?
        /// Most characters of its texts; nil if it has none.
        let mostCharacters: Int?

        fileprivate init(_ slot: Int, _ field: Field) {
            self.slot = slot
            column = field.column
            encoding = field.encoding
            storage = field.storage
            range =
                switch field.representation {
                case .number, .digits: field.range
                default: nil
                }
            mostCharacters = if case .text(let most) = field.representation { most } else { nil }
        }
    }

    let kind: RecordKind
    let handle: OpaquePointer
    let slotCount: Int
    /// By ascending column number.
    let targets: [Target]
    /// Slot of `captured_at_ms`.
    let capturedMilliseconds: Int
    /// Slots of other names (``RecordKind/spellings``), each with the slot of its column.
    let spellings: [(slot: Int, target: Int)]
    /// Slots without which a record of the kind says nothing (``RecordKind/required``).
    let required: [Int]
    /// Slots of who says it and when: where one of these is wrong, so is the record.
    let vital: Set<Int>
    /// Slots of what a record says beside that.
    let content: [Int]
    /// Ranges by the code in another slot (``Plausibility/narrower``).
    let narrower: [(slot: Int, by: Int, ranges: [ClosedRange<Int64>])]
    /// Slots that can make a row urgent.
    let problemSlots: [Int]
    private let slots: [Int8]

    init(_ kind: RecordKind) {
        self.kind = kind
        var builder = RowTableBuilder()
        for field in kind.fields {
            let narrower = kind.plausibility.narrower.filter { $0.column == field.column }
            builder.add(field, narrower: narrower.flatMap { $0.ranges.compactMap(\.self) })
        }
        capturedMilliseconds = builder.count
        builder.add(Field(ColumnID.capturedAt, "captured_at_ms", .number(scale: 1)))
        var slots = [Int8](repeating: -1, count: 256)
        for (slot, field) in kind.fields.enumerated() { slots[Int(field.column)] = Int8(slot) }
        self.slots = slots
        func slot(_ column: UInt8) -> Int { Int(slots[Int(column)]) }
        spellings = kind.spellings.enumerated().map { place, field in
            (kind.fields.count + 1 + place, slot(field.column))
        }
        for field in kind.spellings { builder.add(field) }
        slotCount = builder.count
        handle = builder.build()
        targets = kind.fields.enumerated().map { Target($0, $1) }.sorted { $0.column < $1.column }
        required = kind.required.map(slot)
        let identity = Field.identity.map { slot($0.column) }
        vital = Set(identity + [capturedMilliseconds])
        content = kind.fields.indices.filter { !identity.contains($0) }
        narrower = kind.plausibility.narrower.map { narrower in
            let own = kind.field(narrower.column)!.range
            return (slot(narrower.column), slot(narrower.by), narrower.ranges.map { $0 ?? own })
        }
        problemSlots = kind.problemColumns.map(slot)
    }

    /// The slot of a column, nil if the kind does not have it.
    func slot(_ column: UInt8) -> Int? {
        let slot = slots[Int(column)]
        return slot < 0 ? nil : Int(slot)
    }

    /// The name a fault of a slot is reported under.
    func name(_ slot: Int) -> String {
        if slot == capturedMilliseconds { return "captured_at_ms" }
        return slot < kind.fields.count ? kind.fields[slot].name : kind.spellings[slot - kind.fields.count - 1].name
    }

    /// The slots in which a column can be written: `rating`, then `emoji`.
    func slots(of target: Int) -> [Int] { [target] + spellings.filter { $0.target == target }.map(\.slot) }

    /// The names under which a column can be written: `rating or emoji`.
    func names(_ slot: Int) -> String {
        slots(of: slot).map(name).joined(separator: " or ")
    }
}

/// The tables of all kinds that phones send. Immutable; used by all threads.
final class RowTables: Sendable {
    private let tables: [RowTable?]
    /// The most slots that any table has.
    let mostSlots: Int

    init(_ programmes: Programmes) {
        var tables = [RowTable?](repeating: nil, count: 256)
        for kind in programmes.kinds { tables[Int(kind.kind.id)] = RowTable(kind.kind) }
        self.tables = tables
        mostSlots = tables.compactMap { $0?.slotCount }.max() ?? 0
    }

    /// The table of a kind; nil if phones do not send it.
    func table(of kind: RecordKind) -> RowTable? { tables[Int(kind.id)] }
}
