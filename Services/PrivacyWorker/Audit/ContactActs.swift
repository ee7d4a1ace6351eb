internal import Foundation
internal import Models
internal import Wire

/// What contacts set, removed and did to log in, for the audit log: who, what and of which name, not what was set.
enum ContactActs {
    private struct Detail: Encodable { let target: String? }

    static func append(_ columns: Columns, to audit: inout AuditWriter) throws {
        guard let documents = columns[ColumnID.document] else { return }
        for row in 0..<columns.rowCount {
            // Without a document: it is too old for the lane.
            guard let document = documents.value(row) else { continue }
            let act = try JSONDecoder().decode(ContactActDocument.self, from: Data(document))
            try audit.append(
                actor: act.tenant.isEmpty ? act.contact : "\(act.tenant)/\(act.contact)", action: act.act, subject: [],
                detail: try SortedJSON.text(of: Detail(target: act.target.isEmpty ? nil : act.target)))
        }
    }
}
