internal import Models

/// Where a subscriber stands among those who agreed to be shown: the answer to `GET /v1/standings`.
struct StandingsAnswer: Sendable, Equatable {
    /// One who is shown.
    struct Line: Sendable, Equatable {
        let rank: Int64
        let nickname: String
        let score: Int64
        let isOwn: Bool
    }

    /// Who did how much of a measure in a period.
    struct Standing: Sendable, Equatable {
        let measure: String
        let period: String
        /// First and last day of the period, since 1970.
        let from: Int64
        let until: Int64
        /// How many are in it.
        let count: Int64
        /// The subscriber's own and those next to it, by rank.
        let lines: [Line]
    }

    /// Nil if the subscriber is not shown.
    let nickname: String?
    let standings: [Standing]
    /// When the last change that ingest has read was committed by the dispatcher; nil before the first.
    let asOf: UnixMilliseconds?

    /// The JSON document.
    var body: [UInt8] {
        var json = JSONWriter()
        json.raw("{\"nickname\":")
        if let nickname { json.string(nickname) } else { json.raw("null") }
        json.raw(",\"standings\":[")
        for (place, standing) in standings.enumerated() {
            if place > 0 { json.raw(",") }
            write(standing, &json)
        }
        json.raw("]")
        if let asOf {
            json.raw(",")
            json.time("as_of", asOf)
        }
        json.raw("}")
        return json.bytes
    }

    private func write(_ standing: Standing, _ json: inout JSONWriter) {
        json.raw("{\"measure\":")
        json.string(standing.measure)
        json.raw(",\"period\":")
        json.string(standing.period)
        json.raw(",\"from\":\"\(CivilDay.text(standing.from))\",\"until\":\"\(CivilDay.text(standing.until))\"")
        json.raw(",\"count\":\(standing.count),\"lines\":[")
        for (place, line) in standing.lines.enumerated() {
            if place > 0 { json.raw(",") }
            json.raw("{\"rank\":\(line.rank),\"nickname\":")
            json.string(line.nickname)
            json.raw(",\"score\":\(line.score),\"own\":\(line.isOwn)}")
        }
        json.raw("]}")
    }
}
