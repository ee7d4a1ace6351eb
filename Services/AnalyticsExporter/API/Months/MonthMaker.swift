package import ExporterOperations
package import ExporterStores
internal import ExporterSupport
internal import GRDB
package import Models
package import Storage

/// Makes sums of months whose days change no more, cell by cell. Confined to one thread.
package final class MonthMaker {
    /// Cells have changed for the last time ten days after their day, when it is sealed.
    static let settling: UnixMilliseconds = 10 * 86_400_000
    /// Cells that are added up at once, and rows of a change.
    private static let atOnce = (cells: 32, rows: 500)

    private let programmes: [Programme]
    private let ledger: MonthLedger
    private let state: ReadOnlyDatabase
    private let changes: ChangeQueue

    /// - Parameter state: a connection of its own to the exporter's database.
    package init(_ programmes: Programmes, _ ledger: MonthLedger, state: ReadOnlyDatabase, changes: ChangeQueue) {
        self.programmes = HeatmapQuery.shown(programmes)
        (self.ledger, self.state, self.changes) = (ledger, state, changes)
    }

    /// Makes the oldest month that is due.
    ///
    /// - Parameters:
    ///   - moment: everything acknowledged before counts in the cells.
    ///   - goesOn: false when it is to leave everything.
    /// - Returns: false if none is due, or its days changed meanwhile.
    package func next(completeTo moment: UnixMilliseconds, while goesOn: () -> Bool) throws -> Bool {
        let numbers = programmes.map(\.number)
        let (first, whole) = try state.read { db in
            (try MonthStore.firstDay(numbers, db), try MonthStore.whole(db))
        }
        guard let first else { return false }
        let month = Self.firstMissing(ledger.month(ofDay: first), whole)
        let begins = month.begins(in: ledger.zone)
        guard begins[begins.count - 1] * 1_000 + Self.settling <= moment else { return false }
        ledger.begin(month)
        defer { ledger.end() }
        for programme in programmes {
            guard try clear(month, programme, goesOn), try make(month, programme, begins, goesOn) else { return false }
        }
        return try changes.submitWaiting { [ledger] db, now in (try ledger.finish(month, now: now, db), []) }
    }

    private static func firstMissing(_ first: CivilMonth, _ whole: Set<CivilMonth>) -> CivilMonth {
        var month = first
        while whole.contains(month) { month = CivilMonth(number: month.number + 1) }
        return month
    }

    /// What an earlier attempt has left.
    private func clear(_ month: CivilMonth, _ programme: Programme, _ goesOn: () -> Bool) throws -> Bool {
        for metric in HeatmapQuery.metrics(of: programme) {
            var isMore = true
            while isMore {
                guard goesOn() else { return false }
                isMore = try changes.submitWaiting { db, _ in
                    (
                        try MonthStore.clear(
                            month, programme: programme.number, metric: metric.number, limit: Self.atOnce.rows, db), []
                    )
                }
            }
        }
        return true
    }

    private func make(
        _ month: CivilMonth, _ programme: Programme, _ begins: [Int64], _ goesOn: () -> Bool
    ) throws -> Bool {
        let days = Array(begins.dropLast())
        for level in [0] + Array(Quadkey.coarsestLevel...programme.finestLevel) {
            let codes = try state.read { try MonthStore.codes(programme.number, level: level, days: days, $0) }
            for start in stride(from: 0, to: codes.count, by: Self.atOnce.cells) {
                guard goesOn(), ledger.isGood else { return false }
                let range = codes[start]...codes[min(start + Self.atOnce.cells, codes.count) - 1]
                let rows = try state.read { try MonthSums(programme, days, level, range, $0).rows }
                for first in stride(from: 0, to: rows.count, by: Self.atOnce.rows) {
                    let part = Array(rows[first..<min(first + Self.atOnce.rows, rows.count)])
                    try changes.submitWaiting { db, _ in
                        (try MonthStore.put(part, of: month, programme: programme.number, db), [])
                    }
                }
            }
        }
        return true
    }
}

/// The sums of some cells of a level over some days.
struct MonthSums {
    private struct Key: Hashable {
        let code, scope, stratum: Int64
    }

    /// In no particular order.
    let rows: [MonthStore.Row]

    /// - Parameter days: their begins in Unix seconds.
    init(
        _ programme: Programme, _ days: [Int64], _ level: Int, _ range: ClosedRange<UInt64>, _ db: Database
    ) throws {
        guard let cellScope = programme.cellScope else {
            rows = []
            return
        }
        let metrics = HeatmapQuery.metrics(of: programme), none = metrics.map { _ in MetricSum() }
        func sums(withUnshared: Bool) throws -> [Key: [MetricSum]] {
            let cells = try StoredCells(
                db, of: programme, cellScope, networks: .everything, withUnshared: withUnshared)
            var sums: [Key: [MetricSum]] = [:]
            for day in days {
                var last: StoredCells.Place?
                try cells.forEach(of: Bucket(seconds: 86_400, start: day), level: level, in: range) { row, place in
                    let isThere = try cells.withFigures(row, isOther: place == last) { cell in
                        [place.stratum, MonthStore.anyStratum].allSatisfy { stratum in
                            let key = Key(code: place.code, scope: place.scope, stratum: stratum)
                            return metrics.indices.allSatisfy {
                                sums[key, default: none][$0].add(cell, of: metrics[$0].number)
                            }
                        }
                    }
                    if isThere { last = place }
                }
            }
            return sums
        }
        let shared = try sums(withUnshared: false), all = try sums(withUnshared: true)
        var rows: [MonthStore.Row] = []
        for (key, sums) in all {
            for (place, metric) in metrics.enumerated() {
                let own = shared[key]?[place].encoded ?? none[place].encoded, both = sums[place].encoded
                for (population, sum) in [(MonthStore.shared, own), (MonthStore.everything, both)]
                where population == MonthStore.shared ? shared[key]?[place].samples ?? 0 > 0 : both != own {
                    rows.append(
                        MonthStore.Row(
                            level: level, code: UInt64(bitPattern: key.code), scope: key.scope, stratum: key.stratum,
                            population: population, metric: metric.number, sum: sum))
                }
            }
        }
        self.rows = rows
    }
}
