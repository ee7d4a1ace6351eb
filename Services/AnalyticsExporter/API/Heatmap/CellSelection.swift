internal import ExporterSupport
internal import Models

/// Which stored cells of a programme somebody asks for.
struct CellSelection: Sendable {
    /// Names of the parameters.
    static let parameters = ["programme", "plmn", "technology", "scope", "stratum", "from", "to", "bbox", "level"]
    /// The longest period: a year and a day.
    static let longestPeriod: Int64 = 367 * 86_400_000
    static let defaultLevel = 12

    let programme: Programme
    /// Whose cells the programme has.
    let cellScope: RowScope
    /// Nil: all scopes together.
    let scope: Scope?
    /// Nil: all strata together.
    let stratum: UInt8?
    /// In Unix milliseconds.
    let period: Range<UnixMilliseconds>
    /// Nil: the whole world, and what has no place.
    let givenBox: BoundingBox?
    let level: Int

    /// - Parameters:
    ///   - shown: programmes that may be asked for; the first one if none is named.
    ///   - what: the call, for a fault that there is none.
    ///   - recent: how long the period is, up to now, without `from` and `to`.
    init(
        _ parameters: QueryParameters, _ shown: [Programme], of what: String, recent: UnixMilliseconds = 86_400_000,
        now: UnixMilliseconds
    ) throws(ParameterFault) {
        let name = try parameters.choice("programme", of: shown.map(\.name))
        guard let programme = name.flatMap({ name in shown.first { $0.name == name } }) ?? shown.first,
            let cellScope = programme.cellScope
        else { throw ParameterFault("programme", "no programme here has \(what)") }
        self.programme = programme
        self.cellScope = cellScope
        scope = try Self.scope(parameters, cellScope)
        stratum = try Self.stratum(parameters, programme)
        let end = try parameters.instant("to") ?? now
        period = try parameters.period(from: max(0, end - recent), to: end)
        guard period.upperBound - period.lowerBound <= Self.longestPeriod else {
            throw ParameterFault(
                "from", "the period from \(period.lowerBound) to \(period.upperBound) is longer than 367 days")
        }
        givenBox = try parameters.text("bbox").map { text throws(ParameterFault) in try BoundingBox(text: text) }
        level =
            try parameters.integer("level", in: Quadkey.coarsestLevel...programme.finestLevel) ?? Self.defaultLevel
    }

    var box: BoundingBox { givenBox ?? .world }

    /// The period in Unix seconds, moved outwards to whole ones.
    var seconds: (from: Int64, to: Int64) {
        let to = period.upperBound
        return (period.lowerBound / 1000, to / 1000 + (to % 1000 > 0 ? 1 : 0))
    }

    /// `plmn` of mobile networks, `scope` of any programme.
    private static func scope(
        _ parameters: QueryParameters, _ cellScope: RowScope
    ) throws(ParameterFault) -> Scope? {
        try forbidBoth("plmn", "scope", parameters)
        if let plmn = try parameters.plmn("plmn") {
            guard cellScope == .networks else {
                throw ParameterFault(
                    "plmn", "cells of this programme have no networks; use scope=\(cellScope.scheme):<number>")
            }
            return Scope(plmn)
        }
        guard let text = parameters.text("scope") else { return nil }
        guard let scope = Scope(text: text), scope.scheme == cellScope.scheme else {
            throw ParameterFault("scope", "\"\(text)\": expected \(cellScope.scheme):<number>")
        }
        return scope
    }

    /// `technology` of mobile networks, `stratum` of any programme.
    private static func stratum(
        _ parameters: QueryParameters, _ programme: Programme
    ) throws(ParameterFault) -> UInt8? {
        try forbidBoth("technology", "stratum", parameters)
        let parameter = parameters.text("technology") == nil ? "stratum" : "technology"
        guard parameters.text(parameter) != nil else { return nil }
        guard programme.strata != .one else {
            throw ParameterFault(parameter, "cells of programme \(programme.name) have no strata")
        }
        guard parameter == "stratum" || programme.cellScope == .networks else {
            throw ParameterFault(parameter, "cells of programme \(programme.name) have no technology; use stratum")
        }
        let names = programme.strata.names
        return try parameters.choice(parameter, of: names).flatMap { names.firstIndex(of: $0) }.map { UInt8($0) }
    }

    /// The two say the same in different words, so one would be passed over.
    private static func forbidBoth(
        _ one: String, _ other: String, _ parameters: QueryParameters
    ) throws(ParameterFault) {
        if parameters.text(one) != nil, parameters.text(other) != nil {
            throw ParameterFault(other, "given together with \(one); give one of them")
        }
    }
}
