import GRDB
import Models
import Storage

/// What services have that goes when its time is over, read from their tables without the product's help: before the days
/// pass, and after a run.
struct RetentionScan {
    private struct Place {
        let kind: String
        let service: String
        /// The time that counts, and what tells things of one time apart.
        let sql: String
        /// What the service itself keeps no longer, milliseconds.
        var ownLimit: Int?
    }

    private struct Thing: Hashable {
        let time: Int
        let name: String
    }

    private static let settled = "state IN ('confirmed', 'rejected')"
    private static let places = [
        Place(
            kind: "receipts", service: "ingest", sql: "SELECT given_at, hex(batch) FROM receipts",
            ownLimit: 8 * 86_400_000),
        Place(
            kind: "failed_authentications", service: "ingest",
            sql: "SELECT minute * 60000, prefix FROM failed_authentications"),
        Place(
            kind: "failed_authentications", service: "analytics-exporter",
            sql: "SELECT minute * 60000, prefix FROM failed_authentications"),
        Place(
            kind: "contributions", service: "alert-router",
            sql: "SELECT first_at, alarm || '/' || device FROM alarm_devices"),
        Place(
            kind: "contributions", service: "copies",
            sql: "SELECT first_at, alarm || '/' || device FROM contributions"),
        Place(kind: "alarms", service: "alert-router", sql: "SELECT changed_at, number FROM alarms"),
        Place(
            kind: "reward_links", service: "reward-dispatcher",
            sql: "SELECT changed_at, id FROM grants WHERE erased_owner IS NULL AND \(settled)"),
        Place(
            kind: "reward_links", service: "copies", sql: "SELECT changed_at, id FROM grants WHERE \(settled)"),
        // When a grant becomes nobody's its name changes, and nothing else that stands here.
        Place(
            kind: "ledger", service: "reward-dispatcher",
            sql: "SELECT changed_at, campaign || '/' || amount || '/' || state FROM grants WHERE \(settled)"),
        Place(
            kind: "erasure_notices", service: "analytics-exporter",
            sql: "SELECT published_at, id FROM erasure_notices"),
    ]

    private let things: [[Thing: Int]]

    /// - Parameter databases: by the name of the service; that of ingest's copies is `copies`.
    init(_ databases: [String: ServiceDatabase]) throws {
        things = try Self.places.map { place -> [Thing: Int] in
            guard let database = databases[place.service] else { return [:] }
            return try database.read { db in
                let things = try Row.fetchAll(db, sql: place.sql).compactMap { row in
                    (row[0] as Int?).map { Thing(time: $0, name: (row[1] as DatabaseValue).description) }
                }
                return Dictionary(things.map { ($0, 1) }, uniquingKeysWith: +)
            }
        }
    }

    /// How many things there are of a kind, in all places.
    func count(of kind: String) -> Int {
        zip(Self.places, things).reduce(0) { $0 + ($1.0.kind == kind ? $1.1.values.reduce(0, +) : 0) }
    }

    /// What is too old is gone.
    func expectNothingOld(_ policy: ReferenceRetention) throws {
        for (place, things) in zip(Self.places, things) {
            guard let old = things.keys.first(where: { !policy.keeps(place.kind, of: $0.time) }) else { continue }
            throw SimulationFailure("\(place.service) still has \(place.kind) of \(old.time): \(old.name)")
        }
    }

    /// What is not too old is still there.
    ///
    /// - Parameters:
    ///   - before: of a moment since when nothing has happened but time and one run.
    ///   - now: the present, Unix milliseconds.
    func expectTheRest(of before: RetentionScan, _ policy: ReferenceRetention, now: Int) throws {
        for (place, (past, present)) in zip(Self.places, zip(before.things, things)) {
            for (thing, count) in past where policy.keeps(place.kind, of: thing.time) {
                if let limit = place.ownLimit, thing.time < now - limit { continue }
                guard present[thing] == count else {
                    throw SimulationFailure(
                        "\(place.service) has no more \(place.kind) of \(thing.time): \(thing.name)")
                }
            }
        }
    }
}
