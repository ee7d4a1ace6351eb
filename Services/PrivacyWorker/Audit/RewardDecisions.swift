internal import Foundation
internal import Models
internal import Wire

/// What persons decided about rewards, for the audit log: what, of which campaign, how much and why; not whose it is.
enum RewardDecisions {
    private struct Detail: Encodable {
        let campaign, why: String
        let amount_xaf: Int64
    }

    static func append(_ columns: Columns, to audit: inout AuditWriter) throws {
        guard let documents = columns[ColumnID.document] else { return }
        for row in 0..<columns.rowCount {
            // Without a document: it is forgotten.
            guard let document = documents.value(row) else { continue }
            let decision = try JSONDecoder().decode(RewardDecisionDocument.self, from: Data(document))
            let detail = Detail(
                campaign: decision.campaign, why: decision.why, amount_xaf: decision.amountXAF)
            try audit.append(
                actor: decision.by, action: "reward.\(decision.decision)", subject: [],
                detail: try SortedJSON.text(of: detail))
        }
    }
}
