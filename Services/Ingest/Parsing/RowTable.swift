internal import CSimdjson
internal import Models
internal import Wire

/// The fields of a kind as the parser in C++ wants them, and where each lands in a ``RowScratch``.
///
/// The first slots are `kind.fields` in their order; behind them lie other spellings: `captured_at_ms`, `emoji`.
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
    /// Slot of `emoji`, for kinds with a rating.
    let emoji: Int?
    /// Slots without which a record of the kind says nothing (``RecordKind/required``).
    let required: [Int]
    private let slots: [Int8]

    static let report = RowTable(.report)
    static let feedback = RowTable(.feedback)
    static let prompt = RowTable(.prompt)

    /// The table of a kind that phones may send.
    static func of(_ kind: RecordKind) -> RowTable {
        switch kind.id {
        case RecordKind.feedback.id: feedback
        case RecordKind.prompt.id: prompt
        default: report
        }
    }

    /// The most slots any table has.
    static let mostSlots = max(report.slotCount, feedback.slotCount, prompt.slotCount)

    private init(_ kind: RecordKind) {
        self.kind = kind
        var builder = RowTableBuilder()
        for field in kind.fields { builder.add(field) }
        capturedMilliseconds = builder.count
        builder.add(Field(ColumnID.capturedAt, "captured_at_ms", .number(scale: 1)))
        if kind.field(ColumnID.rating) != nil {
            emoji = builder.count
            builder.add(Field(ColumnID.rating, "emoji", .choice(Self.faces)))
        } else {
            emoji = nil
        }
        slotCount = builder.count
        handle = builder.build()
        targets = kind.fields.enumerated().map { Target($0, $1) }.sorted { $0.column < $1.column }
        var slots = [Int8](repeating: -1, count: 256)
        for (slot, field) in kind.fields.enumerated() { slots[Int(field.column)] = Int8(slot) }
        self.slots = slots
        required = kind.required.compactMap { slots[Int($0)] < 0 ? nil : Int(slots[Int($0)]) }
    }

    /// The slot of a column, nil if the kind does not have it.
    func slot(_ column: UInt8) -> Int? {
        let slot = slots[Int(column)]
        return slot < 0 ? nil : Int(slot)
    }

    /// The name a fault of a slot is reported under.
    func name(_ slot: Int) -> String {
        if slot == capturedMilliseconds { return "captured_at_ms" }
        return slot < kind.fields.count ? kind.fields[slot].name : "emoji"
    }

    /// What a client can write instead of a rating; the place in the list is the rating (0 is never written).
    static let faces = Choices(
        ["", "😡", "😕", "😐", "🙂", "😍"],
        aliases: ["😡\u{FE0F}": "😡", "😕\u{FE0F}": "😕", "😐\u{FE0F}": "😐", "🙂\u{FE0F}": "🙂", "😍\u{FE0F}": "😍"])
}
