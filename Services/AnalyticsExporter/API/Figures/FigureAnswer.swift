internal import ExporterStores
internal import ExporterSupport
internal import Hummingbird
internal import Models
internal import ServiceKit

/// Answers with figures: what they are, up to when they are complete, and an entity tag that is the same while the figures are.
struct FigureAnswer {
    let now: UnixMilliseconds
    /// Asked before the cells are read, which may then say more.
    let completeTo: UnixMilliseconds?

    /// The members that every answer has about what was asked for.
    static func head(_ selection: FigureSelection, from: Int64, to: Int64) -> [String: JSONValue] {
        let cells = selection.cells
        let stratum = cells.stratum.map { JSONValue.string(cells.programme.strata.name($0)) } ?? .null
        var head: [String: JSONValue] = [
            "programme": .string(cells.programme.name), "place": selection.place.value, "release": "live",
            "from_ms": .integer(from * 1_000), "to_ms": .integer(to * 1_000),
        ]
        if cells.cellScope == .networks {
            head["technology"] = stratum
        } else {
            head["stratum"] = stratum
        }
        return head
    }

    /// What happened in a period of Unix seconds.
    func annotations(of tenant: Tenant, _ networks: NetworkScope, from: Int64, to: Int64) -> Annotations {
        Annotations(
            tenant: tenant, networks: networks, period: from * 1_000..<max(from, to) * 1_000, completeTo: completeTo)
    }

    /// The name of a network in answers.
    static func name(of network: PLMN) -> String { network == .unknown ? "unknown" : network.text }

    func response(_ members: [String: JSONValue], to request: Request) throws -> Response {
        try response(try SortedJSON.bytes(of: JSONValue.object(members)), to: request)
    }

    /// - Parameter text: a JSON object with members.
    func response(_ text: [UInt8], to request: Request) throws -> Response {
        var head = "{\"as_of\":\"\(SystemTime.text(now))\",\"as_of_ms\":\(now),"
        head += "\"complete_to\":\(completeTo.map { "\"\(SystemTime.text($0))\"" } ?? "null"),"
        head += "\"complete_to_ms\":\(completeTo.map { "\($0)" } ?? "null"),"
        return try CellAnswer.response(
            Array(head.utf8) + text.dropFirst(), "application/json", tag: EntityTag(weaklyOf: text).text,
            completeTo: completeTo, to: request)
    }
}
