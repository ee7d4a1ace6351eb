internal import Alarms
internal import Foundation
internal import Models
internal import Wire

/// What contacts had sites do, for the audit log: who, what, to which door or sensor, and what became of it, wrong codes and
/// refusals too.
enum SiteActs {
    private struct Detail: Encodable {
        let task, target, state: String
        let id: Int64
        let code, result: String?
    }

    /// Appends an entry for each task of a block that the router has decided.
    static func append(_ columns: Columns, to audit: inout AuditWriter) throws {
        guard let documents = columns[ColumnID.document] else { return }
        for row in 0..<columns.rowCount {
            // Without a document: it is forgotten.
            guard let document = documents.value(row) else { continue }
            let task = try JSONDecoder().decode(SiteTask.self, from: Data(document)), command = task.command
            let detail = Detail(
                task: command.task, target: command.target.rawValue, state: task.state.rawValue, id: command.id,
                code: task.code, result: task.result)
            try audit.append(
                actor: "\(command.tenant)/\(command.contact)", action: "site.\(command.act.rawValue)", subject: [],
                detail: try SortedJSON.text(of: detail))
        }
    }
}
