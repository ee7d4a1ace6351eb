internal import ExporterOperations
internal import ExporterStores
internal import ExporterSupport
internal import Foundation
internal import GRDB
internal import Models
internal import ServiceKit

/// Which figures of campaigns are asked for, and by whom.
struct CampaignQuery {
    /// Names of the parameters.
    static let parameters = ["from", "to", "campaign"]
    /// Without `from` and `to`: the last 30 days.
    private static let usualPeriod: Int64 = 30 * 86_400_000
    /// Days of campaigns of one answer at most.
    private static let mostRows = 10_000

    /// Local days, since 1970.
    let days: ClosedRange<Int64>
    /// Nil for all.
    private let campaign: String?
    private let scope: NetworkScope

    /// - Parameter scope: what the caller may see.
    /// - Throws: ``ParameterFault``.
    init(
        _ parameters: QueryParameters, scope: NetworkScope, zone: TimeZone, now: UnixMilliseconds
    ) throws(ParameterFault) {
        let end = try parameters.instant("to") ?? now
        let period = try parameters.period(from: max(0, end - Self.usualPeriod), to: end)
        let first = CivilDay.number(of: period.lowerBound, in: zone)
        days = first...max(first, CivilDay.number(of: period.upperBound - 1, in: zone))
        campaign = parameters.text("campaign")
        guard campaign.map(DocumentService.isName) ?? true else {
            throw ParameterFault("campaign", "expected 1…64 of letters, digits, - _ .")
        }
        self.scope = scope
    }

    /// What the caller may see, by campaign.
    ///
    /// - Throws: ``ParameterFault`` `too_many_rows`.
    func campaigns(_ db: Database) throws -> [CampaignFigures] {
        var found: [String: CampaignFigures] = [:]
        for (key, document) in try DocumentStore.all(of: .campaign, ownedBy: nil, db) where campaign ?? key == key {
            let operators = try JSONDecoder().decode(CampaignDocument.self, from: Data(document)).operators
            guard mayBeSeen(operators) else { continue }
            found[key] = CampaignFigures(campaign: key, networks: operators, document: try JSONValue(bytes: document))
        }
        let rows = try CampaignStore.days(days, of: campaign, limit: Self.mostRows + 1, db)
        guard rows.count <= Self.mostRows else {
            throw ParameterFault(
                "from", "more than \(Self.mostRows) days of campaigns; ask for a shorter period or one campaign",
                code: "too_many_rows")
        }
        for sum in try CampaignStore.sums(of: campaign, db) where mayBeSeen(sum.operators) {
            let new = CampaignFigures(campaign: sum.campaign, networks: sum.operators, document: nil)
            found[sum.campaign, default: new].add(sum)
        }
        for day in rows where mayBeSeen(day.operators) { found[day.campaign]?.days.append(day) }
        return found.values.sorted { $0.campaign < $1.campaign }
    }

    /// Whether all networks of a campaign are the caller's own. A campaign for any network counts subscribers of others, too.
    private func mayBeSeen(_ operators: [String]) -> Bool {
        if case .everything = scope { return true }
        return !operators.isEmpty && operators.allSatisfy { PLMN(text: $0).map(scope.contains) ?? false }
    }
}

/// A campaign and what it did.
struct CampaignFigures {
    let campaign: String
    /// Empty is any.
    var networks: [String]
    /// As it is set now; nil if it is removed, or built in.
    let document: JSONValue?
    /// Since its first day.
    private(set) var grants: Int64 = 0
    private(set) var spentXAF: Int64 = 0
    private(set) var devices: Int64 = 0
    /// Of the period.
    var days: [CampaignDayDocument] = []

    init(campaign: String, networks: [String], document: JSONValue?) {
        self.campaign = campaign
        self.networks = networks.sorted()
        self.document = document
    }

    mutating func add(_ sum: CampaignSum) {
        grants += sum.grants
        spentXAF += sum.spentXAF
        devices += sum.devices
        guard document == nil else { return }
        // Empty is any.
        networks = networks.isEmpty || sum.operators.isEmpty ? [] : Set(networks).union(sum.operators).sorted()
    }

    /// All days of the period in one.
    var total: CampaignDayDocument {
        days.reduce(into: CampaignDayDocument(campaign: campaign, day: 0, operators: [])) { total, day in
            total.granted += day.granted
            total.paid += day.paid
            total.open += day.open
            total.held += day.held
            total.rejected += day.rejected
            total.reversed += day.reversed
            total.refused.merge(day.refused, uniquingKeysWith: +)
            total.newDevices += day.newDevices
            total.useful += day.useful
            total.newCells += day.newCells
        }
    }
}

extension CampaignDayDocument {
    /// Whole XAF for a useful record, to a tenth; nil where none is useful.
    var costPerUsefulXAF: Double? {
        useful > 0 ? (Double(spentXAF) / Double(useful) * 10).rounded() / 10 : nil
    }
}
