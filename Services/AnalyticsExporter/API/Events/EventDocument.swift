internal import ExporterSupport
internal import Models
internal import ServiceKit

/// Counts of events as JSON.
struct EventDocument: Encodable {
    /// One kind of event of one scope at one place in one bucket.
    struct Count: Encodable, Equatable {
        /// Null: without a place.
        let quadkey: String?
        /// Of mobile networks, five or six digits or `unknown`.
        let plmn: String?
        /// Of other programmes.
        let scope: String?
        let from_ms, to_ms: Int64
        let event: String
        let n: Int64
        let devices: Int64?
        let devices_at_least: Int64
        let state: String

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(quadkey, forKey: .quadkey)
            try container.encodeIfPresent(plmn, forKey: .plmn)
            try container.encodeIfPresent(scope, forKey: .scope)
            try container.encode(from_ms, forKey: .from_ms)
            try container.encode(to_ms, forKey: .to_ms)
            try container.encode(event, forKey: .event)
            try container.encode(n, forKey: .n)
            try container.encode(devices, forKey: .devices)
            try container.encode(devices_at_least, forKey: .devices_at_least)
            try container.encode(state, forKey: .state)
        }

        private enum CodingKeys: String, CodingKey {
            case quadkey, plmn, scope, from_ms, to_ms, event, n, devices, devices_at_least, state
        }
    }

    /// What counts are told apart by: the begin of the bucket, the place, the number of the scope.
    struct Key: Hashable, Comparable {
        let start: Int64
        /// Level 0: no place.
        let level: Int
        let code: UInt64
        let scope: Int64

        static func < (left: Key, right: Key) -> Bool {
            (left.start, left.level, left.code, left.scope) < (right.start, right.level, right.code, right.scope)
        }
    }

    let programme, metric: String
    let bucket: String?
    let level: Int
    let from_ms, to_ms: Int64
    let release = "live"
    let notes = Notes()
    let events: [Count]

    struct Notes: Encodable {
        let n =
            "events of this kind; a kind that did not happen is left out; an operator's are those of subscribers who share with operators, a regulator's all"
        let devices =
            "those that sent any row there and then, with or without an event; null where several buckets, technologies or the like were added up and devices may repeat; devices_at_least is a lower bound"
        let state =
            "dominated: fewer than \(Senders.few) devices, or as many are not known: too few to speak for the place; ok"
        let quadkey = "null: events of rows without a place; they are listed where no bbox is given"
        let period = "from_ms and to_ms are the period asked for, moved outwards to whole buckets"
    }

    /// - Parameter cover: of the home's zone.
    init(_ cells: [Key: EventCounts], of query: EventQuery, _ cover: BucketCover) {
        programme = query.cells.programme.name
        metric = query.metric.name
        bucket = query.bucket.map { BucketSeries.names[Int($0.rawValue)] }
        level = query.cells.level
        (from_ms, to_ms) = (query.period.from * 1000, query.period.to * 1000)
        let field = query.cells.programme.field(of: query.metric)
        events = cells.keys.sorted().flatMap { key -> [Count] in
            let cell = cells[key]!
            let end: Int64 =
                switch query.bucket {
                case nil: query.period.to
                case .day: cover.nextDay(after: key.start)
                case .some(let bucket): key.start + Int64(bucket.seconds)
                }
            return cell.counts.map { bin, count in
                Count(
                    quadkey: key.level == 0 ? nil : Quadkey(level: key.level, code: key.code).text,
                    plmn: query.cells.cellScope == .networks ? Self.network(key.scope) : nil,
                    scope: query.cells.cellScope == .networks ? nil : "\(query.cells.cellScope.scheme):\(key.scope)",
                    from_ms: key.start * 1000, to_ms: end * 1000, event: Self.name(of: bin, field), n: count,
                    devices: cell.senders.count, devices_at_least: cell.senders.atLeast,
                    state: cell.senders.areFew ? "dominated" : "ok")
            }
        }
    }

    /// The document, and an entity tag of what it shows: the same while only the moment to which it is complete is another.
    func text(completeTo: UnixMilliseconds?) throws -> (text: [UInt8], tag: String) {
        let text = try SortedJSON.bytes(of: self)
        let tag = EntityTag(weaklyOf: text).text
        let moment = completeTo.map { "\"\(SystemTime.text($0))\"" } ?? "null"
        let head = "{\"complete_to\":\(moment),\"complete_to_ms\":\(completeTo.map { "\($0)" } ?? "null"),"
        return (Array(head.utf8) + text.dropFirst(), tag)
    }

    private static func network(_ number: Int64) -> String {
        let plmn = PLMN(rawValue: number)
        return plmn == .unknown ? "unknown" : plmn.text
    }

    private static func name(of bin: Int32, _ field: Field?) -> String {
        guard case .choice(let choices) = field?.representation else { return String(bin) }
        return choices.name(of: Int64(bin)) ?? String(bin)
    }
}
