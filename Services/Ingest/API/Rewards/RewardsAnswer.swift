internal import IngestSupport
internal import IngestUploads
internal import Models

/// What a subscriber is told of rewards: the answer to `GET /v1/me/rewards`.
struct RewardsAnswer: Sendable, Equatable {
    /// Digits that the name of a grant may have.
    static let grantDigits = 1...64

    let subscriber: Subscriber
    /// Newest first.
    let grants: [GrantDocument]
    /// Where the next page begins; nil on the last one.
    let next: PagePosition?
    let streak: Streak
    /// When the last change that ingest has read was committed by the dispatcher; nil before the first.
    let asOf: UnixMilliseconds?

    var badges: [Badge] { Badge.earned(feedbacks: subscriber.granted, bestStreak: streak.best) }

    /// The JSON document.
    var body: [UInt8] {
        var json = JSONWriter()
        json.raw("{\"balance\":{\"paid_xaf\":\(subscriber.paid),\"pending_xaf\":\(subscriber.pending)")
        json.raw(",\"currency\":\"XAF\"},\"grants\":[")
        for (place, grant) in grants.enumerated() {
            if place > 0 { json.raw(",") }
            Self.write(grant, &json)
        }
        json.raw("]")
        if let next {
            json.raw(",\"next\":")
            json.string(next.text)
        }
        json.raw(",\"grants_total\":\(subscriber.granted),\"grants_kept\":\(subscriber.kept)")
        json.raw(",\"streak\":{\"days\":\(streak.days),\"best\":\(streak.best)},\"badges\":[")
        json.raw(badges.map(Self.text).joined(separator: ","))
        json.raw("]")
        if let asOf {
            json.raw(",")
            json.time("as_of", asOf)
        }
        json.raw("}")
        return json.bytes
    }

    private static func write(_ grant: GrantDocument, _ json: inout JSONWriter) {
        json.raw("{\"grant\":")
        json.string(grant.grant)
        json.raw(",\"campaign\":")
        json.string(grant.campaign)
        json.raw(",\"record\":")
        json.string(grant.record)
        json.raw(",\"amount_xaf\":\(grant.amountXAF),\"state\":\"\(grant.state.rawValue)\",")
        json.time("received_at", grant.receivedAt ?? grant.changedAt)
        json.raw(",")
        json.time("changed_at", grant.changedAt)
        json.raw("}")
    }

    private static func text(_ badge: Badge) -> String {
        switch badge.threshold {
        case .feedbacks(let count): "{\"badge\":\"\(badge.rawValue)\",\"feedbacks\":\(count)}"
        case .days(let count): "{\"badge\":\"\(badge.rawValue)\",\"days\":\(count)}"
        }
    }
}

/// What ingest keeps of a device's rewards, beside its newest grants.
struct Subscriber: Sendable, Equatable {
    /// Whole XAF.
    var paid: Int64 = 0
    var pending: Int64 = 0
    /// Grants that there ever were.
    var granted: Int64 = 0
    /// Of these, the ones that are still in the copy.
    var kept: Int64 = 0
    var days = RewardedDays()
    /// The newest grant that was dropped from the copy; all up to it are counted and no longer kept.
    var dropped: PagePosition?
}
