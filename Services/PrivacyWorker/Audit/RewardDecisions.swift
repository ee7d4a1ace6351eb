internal import Models
internal import SubjectRights
internal import Wire

/// What persons decided about rewards, for the audit log: what, of which campaign, how much and why; not whose it is.
enum RewardDecisions {
    private struct Detail: Encodable {
        let campaign, why: String
        let amount_xaf: Int64
    }

    static func append(_ columns: Columns, to audit: inout AuditWriter) throws {
        // A row without a document is forgotten.
        for (_, decision) in try columns.documents(RewardDecisionDocument.self) {
            let detail = Detail(campaign: decision.campaign, why: decision.why, amount_xaf: decision.amountXAF)
            try audit.append(
                actor: decision.by, action: "reward.\(decision.decision)", subject: [],
                detail: try SortedJSON.text(of: detail))
        }
    }
}
