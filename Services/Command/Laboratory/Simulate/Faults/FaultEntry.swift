import CommandSupport
import Models
import ServiceKit

/// A fault as it stands in the JSON file, not yet judged.
struct FaultEntry: Decodable {
    struct Area: Decodable {
        let town: String?
        let latitude, longitude: Double?
        let radius_km: Double
    }

    /// RFC 3339, or hours after the recording's start.
    enum Moment: Decodable {
        case text(String)
        case hours(Double)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let hours = try? container.decode(Double.self) {
                self = .hours(hours)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }

    let kind: String
    let plmn: String?
    let area: Area?
    let from, to: Moment
    let load: Double?
    let devices: Int?
    let drift_seconds_per_hour: Double?
    let rating: Int64?

    /// - Throws: ``ServiceError`` (usage) naming the field and what is expected of it.
    func fault(_ map: SimulatedMap, start: UnixMilliseconds) throws -> SimulatedFault {
        guard let kind = SimulatedFault.Kind(rawValue: kind) else {
            let names = SimulatedFault.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw Self.wrong("kind: \"\(kind)\" is none of \(names)")
        }
        let operators = try plmn.map(Self.plmn)
        let begin = try Self.time(from, "from", start), end = try Self.time(to, "to", start)
        guard begin < end else { throw Self.wrong("to: not after from") }
        var fault = SimulatedFault(
            kind: kind, plmn: operators, area: try area.map { try Self.area($0, map) }, from: begin, to: end)
        fault.load = try Self.within(load ?? fault.load, 0...1, "load")
        fault.devices = try Self.within(devices ?? 0, 0...1_000_000, "devices")
        fault.drift = try Self.within(drift_seconds_per_hour ?? 0, -1_800...1_800, "drift_seconds_per_hour") * 1_000
        fault.rating = try Self.within(rating ?? 5, 1...5, "rating")
        try Self.check(fault)
        return fault
    }

    private static func check(_ fault: SimulatedFault) throws {
        switch fault.kind {
        case .outage where fault.area == nil: throw wrong("area: an outage needs one")
        case .clock where fault.devices == 0 || fault.drift == 0:
            throw wrong("devices, drift_seconds_per_hour: a clock needs both")
        case .farm where fault.devices == 0 || fault.area == nil || fault.plmn == nil:
            throw wrong("devices, area, plmn: a farm needs all three")
        default: break
        }
    }

    private static func plmn(_ text: String) throws -> PLMN {
        guard let plmn = PLMN(text: text), SimulatedOperator.cameroon.contains(where: { $0.plmn == plmn }) else {
            let known = SimulatedOperator.cameroon.map(\.plmn.text).joined(separator: ", ")
            throw wrong("plmn: \"\(text)\" is none of \(known)")
        }
        return plmn
    }

    private static func time(_ moment: Moment, _ name: String, _ start: UnixMilliseconds) throws -> UnixMilliseconds {
        switch moment {
        case .hours(let hours): return start + Int64((try within(hours, 0...100_000, name) * 3_600_000).rounded())
        case .text(let text):
            guard let time = Timestamp.milliseconds(text) else {
                throw wrong("\(name): \"\(text)\" is neither RFC 3339 nor hours after the start")
            }
            return time
        }
    }

    private static func area(_ area: Area, _ map: SimulatedMap) throws -> FaultArea {
        let radius = try within(area.radius_km, 0.01...1_000, "area.radius_km") * 1_000
        if let name = area.town {
            guard let town = map.towns.first(where: { $0.town.name == name }) else {
                throw wrong("area.town: \"\(name)\" is none of \(map.towns.map(\.town.name).joined(separator: ", "))")
            }
            return FaultArea(centre: town.centre, radius: radius)
        }
        guard let latitude = area.latitude, let longitude = area.longitude else {
            throw wrong("area: needs town, or latitude and longitude")
        }
        let north = try within(latitude, -90...90, "area.latitude")
        let east = try within(longitude, -180...180, "area.longitude")
        return FaultArea(
            centre: PlanePoint(latitude: Int64(north * 1e7), longitude: Int64(east * 1e7)), radius: radius)
    }

    private static func within<Value: Comparable>(_ value: Value, _ range: ClosedRange<Value>, _ name: String) throws
        -> Value
    {
        guard range.contains(value) else {
            throw wrong("\(name): \(value) is outside \(range.lowerBound)…\(range.upperBound)")
        }
        return value
    }

    private static func wrong(_ text: String) -> ServiceError { ServiceError(.usage, text) }
}
