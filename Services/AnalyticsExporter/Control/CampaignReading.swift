internal import Models
internal import ServiceKit

/// Makes a campaign of a document that a person wrote, or says by member what is wrong with it.
struct CampaignReading {
    let campaign: CampaignDocument
    /// The version that the writer has seen; nil if the document does not say.
    let version: Int64?

    /// - Parameters:
    ///   - rewarded: kinds that can be paid for.
    ///   - now: when it begins unless it says.
    /// - Throws: `DocumentRefusal` naming every member at fault, and what is allowed there.
    init(_ members: [String: JSONValue], id: String, rewarded: [RecordKind], now: UnixMilliseconds) throws {
        var reader = DocumentReader(members)
        _ = reader.text("id", mayBeMissing: true, allowed: "\"\(id)\", as it is set") { $0 == id ? $0 : nil }
        if !reader.has("amount_xaf") {
            reader.refuse("amount_xaf", "is missing", allowed: Self.shown(CampaignDocument.amounts))
        }
        let amount = reader.whole("amount_xaf", in: CampaignDocument.amounts, default: 1)
        let kind: String? = reader.text(
            "kind", mayBeMissing: true, allowed: "one of \(rewarded.map(\.name).joined(separator: ", "))"
        ) { name in rewarded.contains { $0.name == name } ? name : nil }
        let operators = reader.list("operators", most: 100, of: "five or six digits (MCC and MNC), as 62401") {
            PLMN(text: $0) == nil ? nil : $0
        }
        let from = Self.time("from", &reader) ?? now, to = Self.time("to", &reader) ?? DocumentCalls.farFuture
        if from >= to { reader.refuse("to", "is not after from", allowed: "a later time") }
        var campaign = CampaignDocument(
            id: id, amountXAF: amount, dailyMaximum: reader.whole("daily_maximum", in: 0...10_000, default: 1),
            operators: operators, from: from, to: to, isActive: Self.flag("active", &reader) ?? true,
            kind: kind == "feedback" ? nil : kind)
        campaign.isPromptedOnly = Self.flag("prompted_only", &reader)
        campaign.deviceMaximum = Self.limit("device_maximum", CampaignDocument.counts, &reader)
        campaign.numberDailyMaximum = Self.limit("number_daily_maximum", CampaignDocument.counts, &reader)
        campaign.budgetXAF = Self.limit("budget_xaf", CampaignDocument.budgets, &reader)
        campaign.cellDayBudgetXAF = Self.limit("cell_day_budget_xaf", CampaignDocument.budgets, &reader)
        campaign.undersampledCell = Self.undersampled(&reader)
        campaign.competition = Self.competition(&reader)
        campaign.milestone = Self.milestone(&reader)
        campaign.confirmedEmergency = Self.confirmedEmergency(&reader)
        if campaign.competition != nil, to == DocumentCalls.farFuture {
            reader.refuse("to", "is missing", allowed: "a time: a competition has an end")
        }
        Self.refuseContradictions(campaign, rewarded, &reader)
        version = Self.limit("version", 1...Int64(Int32.max), &reader)
        for (name, budget) in [("budget_xaf", campaign.budgetXAF), ("cell_day_budget_xaf", campaign.cellDayBudgetXAF)] {
            if let budget, budget < amount { reader.refuse(name, "is \(budget)", allowed: "amount_xaf or more") }
        }
        reader.finish()
        guard reader.problems.isEmpty else { throw DocumentRefusal(reader.problems) }
        self.campaign = campaign
    }

    private static func undersampled(_ reader: inout DocumentReader) -> UndersampledCell? {
        guard var inner = reader.object("undersampled_cell") else { return nil }
        let cell = UndersampledCell(
            records: inner.whole("records", in: UndersampledCell.recordCounts, default: 1),
            days: inner.whole("days", in: UndersampledCell.dayCounts, default: 7))
        inner.finish()
        reader.take(inner)
        return cell
    }

    private static func competition(_ reader: inout DocumentReader) -> CampaignCompetition? {
        guard var inner = reader.object("competition") else { return nil }
        let competition = CampaignCompetition(
            winners: inner.whole("winners", in: CampaignCompetition.winnerCounts, default: 1),
            least: inner.whole("least", in: CampaignCompetition.leastCounts, default: 1))
        inner.finish()
        reader.take(inner)
        return competition
    }

    private static func milestone(_ reader: inout DocumentReader) -> CampaignMilestone? {
        guard var inner = reader.object("milestone") else { return nil }
        let milestone = CampaignMilestone(
            records: inner.whole("records", in: CampaignMilestone.recordCounts, default: 50),
            repeats: flag("repeats", &inner) ?? false)
        inner.finish()
        reader.take(inner)
        return milestone
    }

    private static func confirmedEmergency(_ reader: inout DocumentReader) -> ConfirmedEmergency? {
        guard var inner = reader.object("confirmed_emergency") else { return nil }
        let confirmed = ConfirmedEmergency(
            devices: inner.whole("devices", in: ConfirmedEmergency.deviceCounts, default: 2),
            minutes: inner.whole("minutes", in: ConfirmedEmergency.minuteCounts, default: 30))
        inner.finish()
        reader.take(inner)
        return confirmed
    }

    /// What would be without effect beside something else is refused.
    private static func refuseContradictions(
        _ campaign: CampaignDocument, _ rewarded: [RecordKind], _ reader: inout DocumentReader
    ) {
        let ways = [
            ("competition", campaign.competition != nil), ("milestone", campaign.milestone != nil),
            ("confirmed_emergency", campaign.confirmedEmergency != nil),
        ].filter(\.1).map(\.0)
        for other in ways.dropFirst() {
            reader.refuse(other, "is there beside \(ways[0])", allowed: "one way to earn in one campaign")
        }
        guard let way = ways.first else { return }
        let ofRecords = [
            ("prompted_only", campaign.isPromptedOnly != nil, true),
            ("undersampled_cell", campaign.undersampledCell != nil, way != "confirmed_emergency"),
            ("cell_day_budget_xaf", campaign.cellDayBudgetXAF != nil, way != "confirmed_emergency"),
        ]
        for (name, isThere, isWithoutEffect) in ofRecords where isThere && isWithoutEffect {
            reader.refuse(name, "is there beside \(way)", allowed: "nothing: it is about records that are paid for")
        }
        let kind = rewarded.first { $0.name == campaign.kindName }
        if way == "confirmed_emergency", kind?.problems.contains(where: \.raisesAlone) != true {
            reader.refuse(way, "is there for \(campaign.kindName)", allowed: "a kind that reports emergencies")
        }
    }

    private static func limit(
        _ name: String, _ range: ClosedRange<Int64>, _ reader: inout DocumentReader
    ) -> Int64? {
        guard reader.optional(name) != nil else { return nil }
        return reader.whole(name, in: range, default: range.lowerBound)
    }

    private static func flag(_ name: String, _ reader: inout DocumentReader) -> Bool? {
        guard let value = reader.optional(name) else { return nil }
        if case .bool(let flag) = value { return flag }
        reader.refuse(name, "is \(value.text)", allowed: "true or false")
        return nil
    }

    /// `from` as people write it, or `from_ms` as stored documents have it.
    private static func time(_ name: String, _ reader: inout DocumentReader) -> UnixMilliseconds? {
        let stored = limit(name + "_ms", 0...DocumentCalls.farFuture, &reader)
        return reader.instant(name, mayBeMissing: true) ?? stored
    }

    private static func shown(_ range: ClosedRange<Int64>) -> String {
        "\(range.lowerBound)…\(range.upperBound), a whole number"
    }
}
