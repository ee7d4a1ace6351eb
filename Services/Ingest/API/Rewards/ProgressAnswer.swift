internal import Models

/// What a subscriber is told of goals, streaks and badges: the answer to `GET /v1/me/progress`.
struct ProgressAnswer: Sendable, Equatable {
    /// Nil if nothing was contributed yet.
    let progress: ProgressDocument?
    /// The local day, since 1970.
    let today: Int64
    /// When the last change that ingest has read was committed by the dispatcher; nil before the first.
    let asOf: UnixMilliseconds?

    /// The JSON document. A streak that cannot be continued any more is over, and of a period that is over nothing is done.
    var body: [UInt8] {
        var json = JSONWriter()
        json.raw("{\"today\":\"\(CivilDay.text(today))\",\"streaks\":[")
        write(progress?.streaks ?? [], &json) { streak, json in
            let isAlive = streak.until.map { $0 >= today } ?? false
            json.raw("{\"measure\":")
            json.string(streak.measure)
            json.raw(",\"days\":\(isAlive ? streak.days : 0),\"best\":\(streak.best)")
            if isAlive, let until = streak.until { json.raw(",\"until\":\"\(CivilDay.text(until))\"") }
            json.raw("}")
        }
        json.raw("],\"goals\":[")
        write(progress?.goals ?? [], &json) { goal, json in
            json.raw("{\"goal\":")
            json.string(goal.goal)
            json.raw(",\"measure\":")
            json.string(goal.measure)
            json.raw(",\"period\":")
            json.string(goal.period)
            let isNow = goal.from <= today && today <= goal.until
            json.raw(",\"target\":\(goal.target),\"done\":\(isNow ? goal.done : 0),\"times_met\":\(goal.timesMet)}")
        }
        json.raw("],\"badges\":[")
        write(progress?.badges ?? [], &json) { badge, json in
            json.raw("{\"badge\":")
            json.string(badge.badge)
            json.raw(",\"day\":\"\(CivilDay.text(badge.day))\"}")
        }
        json.raw("],\"totals\":{")
        write((progress?.totals ?? [:]).sorted { $0.key < $1.key }, &json) { total, json in
            json.string(total.key)
            json.raw(":\(total.value)")
        }
        json.raw("}")
        if let asOf {
            json.raw(",")
            json.time("as_of", asOf)
        }
        json.raw("}")
        return json.bytes
    }

    private func write<Element>(
        _ elements: [Element], _ json: inout JSONWriter, _ one: (Element, inout JSONWriter) -> Void
    ) {
        for (place, element) in elements.enumerated() {
            if place > 0 { json.raw(",") }
            one(element, &json)
        }
    }
}
