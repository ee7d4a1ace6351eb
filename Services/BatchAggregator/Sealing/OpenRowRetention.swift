import AggregatorCells
package import AggregatorDeriving
package import GRDB
package import Lanes
package import Models
import Storage
package import SubjectRights

/// Open rows go by the local day of their capture: the day is sealed.
package final class OpenRowRetention: RetainedKind {
    package let kind = RetentionKind.openRows
    package let itemsAtOnce = 2
    private let open: OpenRowDirectory
    private let sealer: DaySealer

    package init(_ open: OpenRowDirectory, _ sealer: DaySealer) {
        self.open = open
        self.sealer = sealer
    }

    /// Days with a file that are over and are not to be sealed yet. Marks have the day and its end, the time that counts.
    package func look(
        before: UnixMilliseconds, after mark: RetentionMark, limit: Int, _ db: Database
    ) throws -> RetentionLook {
        let ordered = try SealingState.read(db).ordered
        let days = try open.existingDays().filter { day in
            day >= ordered && day * 1_000 > mark.time && open.end(of: day) * 1_000 <= before
        }
        let items = try days.prefix(limit).map { day in
            let size = try open.file(day).read { try OpenRowFile.size($0) }
            return RetainedItem(
                RetentionMark(time: day * 1_000, number: open.end(of: day)), records: size.rows, bytes: size.bytes)
        }
        return RetentionLook(items, limit: limit)
    }

    package func remove(_ items: [RetainedItem], in transaction: inout EffectTransaction) throws {
        guard let last = items.last else { return }
        try sealer.order(before: last.mark.number, now: transaction.now, transaction.db)
    }

    package func oldest(_ db: Database) throws -> UnixMilliseconds? {
        // Those that are to be sealed are as good as gone.
        let ordered = try SealingState.read(db).ordered
        return try open.existingDays().first { $0 >= ordered }.map { open.end(of: $0) * 1_000 }
    }

    package func truncateLogs() throws -> Bool { try !sealer.state.isAtWork && open.truncateLogs() }
}
