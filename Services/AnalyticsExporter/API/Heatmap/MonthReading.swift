internal import ExporterStores
internal import ExporterSupport
internal import Foundation
internal import GRDB
internal import Models
internal import Storage

/// Puts whole months in the place of their days, where their sums are there.
struct MonthReading {
    /// What is read for buckets.
    enum Step {
        case cells(Bucket)
        /// The sums of a month, and its first day.
        case month(CivilMonth, Bucket)
    }

    /// In which days begin.
    let zone: TimeZone

    /// - Parameters:
    ///   - buckets: ascending.
    ///   - whole: months whose sums are there.
    func steps(_ buckets: [Bucket], whole: Set<CivilMonth>) -> [Step] {
        guard !whole.isEmpty else { return buckets.map(Step.cells) }
        var steps: [Step] = [], place = 0
        while place < buckets.count {
            let bucket = buckets[place]
            guard bucket.seconds == 86_400, case let day = day(of: bucket), case let month = CivilMonth(ofDay: day),
                day == month.days.lowerBound, whole.contains(month), place + month.days.count <= buckets.count,
                case let last = buckets[place + month.days.count - 1], last.seconds == 86_400,
                self.day(of: last) == month.days.upperBound - 1
            else {
                steps.append(.cells(bucket))
                place += 1
                continue
            }
            steps.append(.month(month, bucket))
            place += month.days.count
        }
        return steps
    }

    private func day(of bucket: Bucket) -> Int64 { CivilDay.number(of: bucket.start * 1_000, in: zone) }
}

/// Sums of months that somebody may see, while they are read in one transaction.
struct StoredMonths {
    private let select: Statement
    private let arguments: [(any DatabaseValueConvertible)?]

    /// - Parameters:
    ///   - cellScope: whose cells the programme has.
    ///   - networks: whose sums are read.
    ///   - withUnshared: whether what is not shared with operators counts.
    ///   - stratum: nil: all together.
    init(
        _ db: Database, of programme: Programme, _ cellScope: RowScope, metric: UInt8, networks: NetworkScope,
        withUnshared: Bool, stratum: UInt8?
    ) throws {
        select = try db.cachedStatement(
            sql: """
                SELECT quadkey, scope, sum FROM month_sums
                WHERE programme = ?1 AND metric = ?2 AND month = ?5 AND stratum = ?3 AND level = ?6
                AND quadkey BETWEEN ?7 AND ?8 AND \(networks.condition(on: "scope", of: cellScope)) AND population <= ?4
                ORDER BY quadkey, scope, population DESC
                """)
        arguments = [
            programme.number, metric, stratum.map { Int64($0) } ?? MonthStore.anyStratum,
            withUnshared ? MonthStore.everything : MonthStore.shared,
        ]
    }

    /// Lends the sums of a month and a level (0: without a place), in the order of their codes and scopes.
    ///
    /// - Parameter body: false if what it is lent is no sum.
    /// - Throws: `StorageError` `corrupt`.
    func forEach(
        of month: CivilMonth, level: Int, in range: ClosedRange<UInt64>,
        _ body: (_ code: UInt64, _ scope: Int64, UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        var last: (Int64, Int64)?
        let place: [(any DatabaseValueConvertible)?] = [
            month.number, level, Int64(range.lowerBound), Int64(range.upperBound),
        ]
        let rows = try Row.fetchCursor(select, arguments: StatementArguments(arguments + place))
        while let row = try rows.next() {
            let code: Int64 = row[0], scope: Int64 = row[1]
            // Both populations together come before the one that is shared.
            if let last, last == (code, scope) { continue }
            last = (code, scope)
            let isSound = try row.withUnsafeData(atIndex: 2) { data in
                try data?.withUnsafeBytes { try body(UInt64(bitPattern: code), scope, $0) } ?? false
            }
            guard isSound else {
                throw StorageError(.corrupt, path: "month_sums", message: "code \(code): not a sum of cells")
            }
        }
    }
}
