import Foundation

/// What the subscriber of a device allows and has allowed, and what that leaves of a record: the table of purposes, field
/// by field.
struct ReferenceConsent: Sendable {
    /// Everything that can be allowed.
    static let all: Set = [
        "measurement", "location_precise", "location_coarse", "call_events", "rewards", "operator_sharing", "research",
    ]

    private(set) var periods: [(from: Int, purposes: Set<String>)]

    init(_ purposes: Set<String>) {
        periods = [(.min, purposes)]
    }

    /// What is allowed now.
    var purposes: Set<String> { periods.last!.purposes }

    /// Rises by one with each change, from 1.
    var version: Int { periods.count }

    /// What was allowed at a time; before the enrolment, what was allowed with it.
    func purposes(at time: Int) -> Set<String> { periods.last { $0.from <= time }!.purposes }

    /// True if that says anything new.
    mutating func change(to purposes: Set<String>, at time: Int) -> Bool {
        guard purposes != self.purposes else { return false }
        periods.append((time, purposes))
        return true
    }

    /// What both allow. Who allows the exact place allows the rough one.
    static func both(_ one: Set<String>, _ other: Set<String>) -> Set<String> { whole(one).intersection(whole(other)) }

    private static func whole(_ purposes: Set<String>) -> Set<String> {
        purposes.contains("location_precise") ? purposes.union(["location_coarse"]) : purposes
    }

    /// A record without what is not allowed.
    static func reduced(_ record: ReferenceRecord, to purposes: Set<String>) -> ReferenceRecord {
        var record = record
        if !purposes.contains("location_precise") {
            if purposes.contains("location_coarse") {
                coarsen(&record)
            } else {
                for name in ["latitude", "longitude", "accuracy_m", "location_source", "speed_mps"] {
                    record.fields[name] = nil
                }
            }
        }
        if !purposes.contains("call_events"), record.text("event") != "emergency" { record.fields["event"] = nil }
        return record
    }

    /// Puts the middle of its level-13 cell in the place of a position; one that is in no cell is removed.
    private static func coarsen(_ record: inout ReferenceRecord) {
        guard let latitude = record.number("latitude"), let longitude = record.number("longitude") else { return }
        guard let cell = ReferenceGeography.cell(latitude: latitude, longitude: longitude) else {
            for name in ["latitude", "longitude", "accuracy_m"] { record.fields[name] = nil }
            return
        }
        let place = ReferenceGeography.middle(of: String(cell.prefix(13)))
        // The width of the cell in tenths of a metre, rounded up, at the latitude that is stored.
        let width = (ReferenceGeography.width(level: 13, latitude: place.latitude) * 10).rounded(.up) / 10
        record.fields["latitude"] = .number(place.latitude)
        record.fields["longitude"] = .number(place.longitude)
        record.fields["accuracy_m"] = .number(max(width, record.number("accuracy_m") ?? 0))
    }
}
