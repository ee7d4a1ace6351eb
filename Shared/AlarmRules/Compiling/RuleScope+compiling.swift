internal import Models

extension RuleScope {
    /// Reads `scope`, which may be missing.
    ///
    /// - Parameter owned: what the tenant of the rule owns; nil for a regulator, whose rules may look at everything.
    init(_ reader: inout RuleReader, _ found: FoundMetric, owned: Set<Scope>?, zone: LocalZone?) {
        var inner = reader.object("scope") ?? RuleReader([:], within: "scope.")
        let scheme = found.kinds.first?.scope.scheme ?? Scope.plmn
        owners = Self.owners(&inner, scheme, owned)
        strata = Self.strata(&inner, found.programme.strata)
        place = RulePlace(&inner)
        hours = LocalHours(&inner)
        if hours != nil, zone == nil, !reader.has("zone") {
            reader.refuse("zone", "is missing", allowed: "an IANA zone, as scope.hours are local")
        }
        inner.finish()
        reader.take(inner)
    }

    private static func owners(_ reader: inout RuleReader, _ scheme: String, _ owned: Set<Scope>?) -> Set<Int64>? {
        let mine = owned.map { $0.filter { $0.scheme == scheme } }
        let allowed =
            mine.map { "one of " + $0.map(\.text).sorted().joined(separator: ", ") }
            ?? "such as \(scheme == Scope.plmn ? "plmn:62401" : "\(scheme):12")"
        let named = reader.list("owners", of: allowed) { text -> Int64? in
            guard let scope = Scope(text: text), scope.scheme == scheme, mine?.contains(scope) ?? true else {
                return nil
            }
            return scope.number
        }
        return named.map(Set.init) ?? mine.map { Set($0.map(\.number)) }
    }

    private static func strata(_ reader: inout RuleReader, _ strata: Strata) -> UInt64 {
        let codes = reader.list("technologies", of: "one of " + strata.names.joined(separator: ", ")) { name in
            strata.names.firstIndex(of: name)
        }
        return codes.map { $0.reduce(0) { $0 | 1 << UInt64($1) } } ?? .max
    }
}

extension RulePlace {
    /// Reads `quadkeys` or `bbox`; everywhere where both are missing.
    init(_ reader: inout RuleReader) {
        self = .everywhere
        let cells = reader.list("quadkeys", of: "1…16 digits of 0…3") { text -> Quadkey? in
            (1...16).contains(text.utf8.count) ? Quadkey(text: text) : nil
        }
        let allowed = "[west, south, east, north] in degrees, west before east, south before north"
        let box = reader.list("bbox", of: allowed)
        if reader.has("quadkeys"), reader.has("bbox") {
            reader.refuse("bbox", "stands beside quadkeys", allowed: "one of the two")
            return
        }
        if let cells { self = .cells(cells) }
        guard let box else { return }
        let edges = box.compactMap { if case .number(let edge) = $0 { edge } else { nil } }
        guard box.count == 4, edges.count == 4, edges[0] < edges[2], edges[1] < edges[3],
            edges[0] >= -180, edges[2] <= 180, edges[1] >= -90, edges[3] <= 90
        else {
            reader.refuse("bbox", "is no box", allowed: allowed)
            return
        }
        let stored = edges.map { Int64(($0 * 1e7).rounded()) }
        self = .box(west: stored[0], south: stored[1], east: stored[2], north: stored[3])
    }
}

extension LocalHours {
    /// Reads `hours`; nil where it is missing.
    init?(_ reader: inout RuleReader) {
        guard var inner = reader.object("hours") else { return nil }
        let hours = Self.read(&inner)
        reader.take(inner)
        guard let hours else { return nil }
        self = hours
    }

    /// Reads `from`, `to` and `days` of an object; nil, and noted, if they are no hours.
    package static func read(_ inner: inout RuleReader) -> LocalHours? {
        let from = minute(&inner, "from"), to = minute(&inner, "to")
        let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        let days = inner.list("days", of: "one of " + names.joined(separator: ", ")) { name in
            names.firstIndex(of: name).map { $0 + 1 }
        }
        if let from, from == to { inner.refuse("to", "is from", allowed: "another time of day") }
        inner.finish()
        guard let from, let to, from != to else { return nil }
        return LocalHours(from: from, to: to, days: Set(days ?? Array(1...7)))
    }

    private static func minute(_ reader: inout RuleReader, _ name: String) -> Int? {
        let allowed = "00:00…24:00"
        guard let value = reader.value(name, allowed: allowed) else { return nil }
        if case .string(let text) = value {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            if parts.count == 2,
                parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (48...57).contains($0) } }),
                let hour = Int(parts[0]), let minute = Int(parts[1]), minute < 60, hour * 60 + minute <= 1_440
            {
                return hour * 60 + minute
            }
        }
        reader.refuse(name, "is \(value.text)", allowed: allowed)
        return nil
    }
}
