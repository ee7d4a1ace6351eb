internal import IngestSupport
internal import IngestUploads
internal import Models
internal import QoE
internal import Wire

/// What devices tell of prompts, where it decides when they are asked next.
extension IngestEngine {
    /// Notes outcomes of prompts of a device whose browser is asked; those of others stay with the phone, which decides itself.
    func note(_ upload: Upload, _ rows: [Int32], _ store: IngestStore) throws {
        guard !rows.isEmpty, try store.pushSince(of: upload.device) != nil else { return }
        let columns = upload.rows.columns
        for row in rows.map({ Int($0) }) {
            guard let prompt = columns[ColumnID.promptID]?.value(row),
                let outcome = columns[ColumnID.outcome]?.integer(row).flatMap(PromptOutcome.init(rawValue:)),
                let time = columns[ColumnID.capturedAt]?.integer(row)
            else { continue }
            try store.note(
                outcome, of: String(decoding: prompt, as: UTF8.self), by: upload.device,
                columns[ColumnID.promptRule]?.integer(row).flatMap(PromptRule.init(rawValue:)), at: time)
        }
    }
}
