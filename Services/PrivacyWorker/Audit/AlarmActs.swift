internal import Foundation
internal import Models
internal import Wire

/// What contacts did to alarms, for the audit log: who, what, to which alarm, and what became of it; no words of comments.
enum AlarmActs {
    private struct Detail: Encodable {
        let task, alarm, state: String
        let code, to: String?
        let until_ms: UnixMilliseconds?
        let useful: Bool?
    }

    /// Appends an entry for each task of a block that the router has decided.
    static func append(_ columns: Columns, to audit: inout AuditWriter) throws {
        guard let documents = columns[ColumnID.document] else { return }
        for row in 0..<columns.rowCount {
            // Without a document: it is forgotten.
            guard let document = documents.value(row) else { continue }
            let task = try JSONDecoder().decode(AlarmTask.self, from: Data(document)), command = task.command
            let detail = Detail(
                task: command.task, alarm: command.alarm, state: task.state.rawValue, code: task.code, to: command.to,
                until_ms: command.until, useful: command.isUseful)
            try audit.append(
                actor: "\(command.tenant)/\(command.contact)", action: "alarm.\(command.act.rawValue)", subject: [],
                detail: try SortedJSON.text(of: detail))
        }
    }
}
