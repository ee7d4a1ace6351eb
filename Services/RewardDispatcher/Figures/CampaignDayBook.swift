internal import GRDB
internal import Lanes
internal import Models
internal import SubjectRights

/// What one transaction changes in the figures of campaigns.
struct CampaignDayBook {
    private struct Key: Hashable {
        let campaign: String
        let day: Int64
    }

    private let db: Database
    private let store = CampaignDayStore()
    private var changed: [Key: CampaignDayDocument] = [:]

    init(_ db: Database) { self.db = db }

    /// Whom a new grant reaches, and from where.
    struct News {
        /// The device has no other grant of the campaign on the day.
        var isOfDay = false
        /// It has none at all.
        var isFirst = false
        /// Nothing had come from the record's cell for a while.
        var isNewCell = false
    }

    /// A grant was made.
    mutating func note(_ grant: Grant, by campaign: CampaignDocument, _ news: News) throws {
        try change(grant.campaign, grant.day, campaign.operators) { day in
            day.devices += news.isOfDay ? 1 : 0
            day.newDevices += news.isFirst ? 1 : 0
            day.newCells += news.isNewCell ? 1 : 0
        }
    }

    /// A record that a campaign covers has got no grant.
    mutating func refuse(_ reason: GrantRefusal, by campaign: CampaignDocument, day: Int64) throws {
        try change(campaign.id, day, campaign.operators) { $0.refused[reason.rawValue, default: 0] += 1 }
    }

    /// - Parameter before: the same grant as it was counted; nil if it is new.
    mutating func move(from before: Grant?, to after: Grant) throws {
        let was = before.map(GrantFigure.init), now = GrantFigure(after)
        guard was != now else { return }
        try change(after.campaign, after.day, nil) { day in
            was?.count(-1, in: &day)
            now.count(1, in: &day)
        }
    }

    /// Ends the transaction: what changed goes to the lane.
    mutating func finish(_ emit: inout Emission) throws {
        let days = try save()
        guard !days.isEmpty else { return }
        try emit.append(to: .rewards, kind: .campaignDay, columns: .documents(days.map { ($0.key, $0) }))
    }

    /// Puts down what changed; those days, in their order.
    @discardableResult
    mutating func save() throws -> [CampaignDayDocument] {
        let days = changed.values.sorted { ($0.day, $0.campaign) < ($1.day, $1.campaign) }
        changed = [:]
        for day in days { try store.save(day, db) }
        return days
    }

    /// Tells what the lane has not: days from before there were figures.
    ///
    /// - Returns: false if there may be more.
    mutating func tellOld(limit: Int) throws -> Bool {
        let days = try store.untold(limit: limit, db)
        for day in days { changed[Key(campaign: day.campaign, day: day.day)] = day }
        return days.count < limit
    }

    /// - Parameter networks: the campaign's; nil: as they were.
    private mutating func change(
        _ campaign: String, _ day: Int64, _ networks: [String]?, _ body: (inout CampaignDayDocument) -> Void
    ) throws {
        let key = Key(campaign: campaign, day: day)
        let known = try changed[key] ?? store.day(campaign, day, db)
        var document = known ?? CampaignDayDocument(campaign: campaign, day: day, operators: (networks ?? []).sorted())
        if known != nil, let networks, networks != document.operators {
            // Empty is any.
            let isAny = networks.isEmpty || document.operators.isEmpty
            document.operators = isAny ? [] : Set(networks).union(document.operators).sorted()
        }
        body(&document)
        changed[key] = document
    }
}

/// How a grant counts in the figures of its campaign and day: a function of the grant alone.
struct GrantFigure: Equatable {
    let state: GrantState
    let isHeld: Bool
    let isUseful: Bool
    let sum: CampaignDayDocument.Sum

    init(state: GrantState, isHeld: Bool, isUseful: Bool, sum: CampaignDayDocument.Sum) {
        (self.state, self.isHeld, self.isUseful, self.sum) = (state, isHeld, isUseful, sum)
    }

    init(_ grant: Grant) {
        let isOdd = !grant.suspected.isEmpty
        self.init(
            // To be paid is to be paid, however far it is.
            state: grant.state.isFinal ? grant.state : .pending, isHeld: isOdd && grant.state == .pending,
            isUseful: grant.isPlaced && !isOdd, sum: CampaignDayDocument.Sum(grants: 1, xaf: grant.amount))
    }

    /// - Parameter sign: 1 to add it, -1 to take it out.
    func count(_ sign: Int64, in day: inout CampaignDayDocument) {
        let signed = CampaignDayDocument.Sum(grants: sign * sum.grants, xaf: sign * sum.xaf)
        day.granted += signed
        day.held += isHeld ? signed.grants : 0
        day.useful += isUseful ? signed.grants : 0
        switch state {
        case .confirmed: day.paid += signed
        case .rejected: day.rejected += signed.grants
        case .reversed: day.reversed += signed.grants
        case .pending, .sent, .unknown, .asked: day.open += signed
        }
    }
}
