internal import ExporterStores
internal import ExporterSupport
internal import GRDB
internal import Models
internal import ServiceKit

/// What happened within a period that explains how a series looks: the home was restored, rows were erased, the network was away, the
/// statistics are not complete yet.
struct Annotations {
    /// Of each kind; more are counted, not listed.
    static let most = 100

    let tenant: Tenant
    /// Of which networks' figures there are.
    let networks: NetworkScope
    let period: Range<UnixMilliseconds>
    let completeTo: UnixMilliseconds?

    func list(_ db: Database) throws -> JSONValue {
        .array(try restores(db) + erasures(db) + outages(db) + incomplete)
    }

    /// Rows between the backup and the restore are there as far as phones sent them again.
    private func restores(_ db: Database) throws -> [JSONValue] {
        let restoredAt = try ExporterStore.value(of: .restoredAt, db)
        let backedUpAt = try ExporterStore.value(of: .backedUpAt, db)
        guard restoredAt > period.lowerBound, backedUpAt < period.upperBound, restoredAt > 0 else { return [] }
        return [annotation("restore", from: backedUpAt, to: restoredAt)]
    }

    private func erasures(_ db: Database) throws -> [JSONValue] {
        let removed = try RemovedRows.list(of: tenant.number, in: period, limit: Self.most + 1, db)
        return limited(
            removed.map {
                annotation(
                    "erasure", from: $0.captured.lowerBound, to: $0.captured.upperBound + 1,
                    ["received_day": .string($0.day), "rows": .integer($0.rows)])
            })
    }

    private func outages(_ db: Database) throws -> [JSONValue] {
        limited(
            try StoredOutage.list(in: period, networks, limit: Self.most + 1, db).map { outage in
                annotation(
                    "outage", from: outage.raisedAt, to: outage.clearedAt,
                    [
                        "alarm": .string(outage.alarm), "plmn": .string(FigureAnswer.name(of: outage.plmn)),
                        "quadkey": outage.quadkey.isEmpty ? .null : .string(outage.quadkey),
                        "severity": .string(outage.severity),
                    ])
            })
    }

    /// By whole 5 minutes, so that an answer stays the same for as long.
    private var incomplete: [JSONValue] {
        let from = max((completeTo ?? period.lowerBound) / 300_000 * 300_000, period.lowerBound)
        return from < period.upperBound ? [annotation("incomplete", from: from, to: nil)] : []
    }

    /// The first ones, and that there are more.
    private func limited(_ annotations: [JSONValue]) -> [JSONValue] {
        guard annotations.count > Self.most else { return annotations }
        let kind = annotations[0]["kind"]?.string ?? ""
        return annotations.prefix(Self.most) + [annotation("more_\(kind)s", from: period.lowerBound, to: nil)]
    }

    /// - Parameter end: nil: it goes on, or nobody knows.
    private func annotation(
        _ kind: String, from: UnixMilliseconds, to end: UnixMilliseconds?, _ more: [String: JSONValue] = [:]
    ) -> JSONValue {
        .object(
            more.merging([
                "kind": .string(kind), "from_ms": .integer(from), "to_ms": end.map { .integer($0) } ?? .null,
            ]) { $1 })
    }
}
