import Models
import QoE

/// The columns of a recording: `device`, `kind`, then those of feedback, which are those of a report and its own; behind them,
/// in a recording that has outcomes of prompts, those of these.
enum RecordingColumns {
    static let device = "device"
    static let kind = "kind"

    static let fields: [Field] =
        RecordKind.feedback.fields
        + RecordKind.report.fields.filter { field in !RecordKind.feedback.fields.contains { $0.column == field.column }
        }

    /// Those and what only outcomes of prompts have.
    static let withPrompts: [Field] =
        fields + RecordKind.prompt.fields.filter { field in !fields.contains { $0.column == field.column } }

    /// The header's cells.
    static func header(_ fields: [Field] = fields) -> [String] { [device, kind] + fields.map(name) }

    /// The header's name of a field: times are Unix milliseconds.
    static func name(of field: Field) -> String {
        field.representation == .instant ? field.name + "_ms" : field.name
    }

    /// The field of a header's cell, also of a time as RFC 3339 (`captured_at`).
    static func field(named name: String) -> Field? {
        withPrompts.first { $0.name == name || Self.name(of: $0) == name }
    }
}
