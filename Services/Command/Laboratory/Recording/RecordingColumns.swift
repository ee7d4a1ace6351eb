import Models
import QoE

/// The columns of a recording: `device`, `kind`, in some recordings `sent_at_ms`, then those of feedback, which are those of a report and its own; behind them
/// those of further kinds, in a recording that has any.
///
/// A name means what the kind of its row says: columns from 128 on are other ones in each kind.
enum RecordingColumns {
    static let device = "device"
    static let kind = "kind"
    /// When a row is sent, where that is later than it was captured.
    static let sentAt = "sent_at_ms"

    /// Kinds whose columns every recording has.
    static let base: [RecordKind] = [.feedback, .report]

    /// Fields by their names, those of the base first.
    static func fields(_ further: [RecordKind] = []) -> [Field] {
        var seen: Set<String> = []
        return (base + further).flatMap(\.fields).filter { seen.insert($0.name).inserted }
    }

    /// The header's cells.
    static func header(_ fields: [Field] = fields(), isDelayed: Bool = false) -> [String] {
        [device, kind] + (isDelayed ? [sentAt] : []) + fields.map(name)
    }

    /// The header's name of a field: times are Unix milliseconds.
    static func name(of field: Field) -> String {
        field.representation == .instant ? field.name + "_ms" : field.name
    }

    /// The field of a kind under a header's cell, also of a time as RFC 3339 (`captured_at`).
    ///
    /// Columns of reports and feedback mean the same in every kind: a recording keeps them in whatever row they stand.
    static func field(named name: String, of kind: RecordKind) -> Field? {
        (kind.fields + shared).first { $0.name == name || Self.name(of: $0) == name }
    }

    private static let shared = fields()
}
