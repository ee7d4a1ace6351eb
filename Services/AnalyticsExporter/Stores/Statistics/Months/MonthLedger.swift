package import Foundation
package import GRDB
package import Models
internal import Synchronization

/// Which months have sums, and whether days of theirs change. Usable from any thread; what changes the table runs on the engine's.
package final class MonthLedger: Sendable {
    private struct State {
        var whole: Set<CivilMonth> = []
        /// The month whose sums are being made, and whether a day of it has changed since that began.
        var making: (month: CivilMonth, isTouched: Bool)?
    }

    /// In which days begin.
    package let zone: TimeZone
    private let state = Mutex(State())

    package init(zone: TimeZone) { self.zone = zone }

    /// Reads what there is, once at the start.
    package func load(_ db: Database) throws {
        let whole = try MonthStore.whole(db)
        state.withLock { $0.whole = whole }
    }

    /// The month of a day, by its begin in Unix seconds.
    package func month(ofDay begin: Int64) -> CivilMonth {
        CivilMonth(ofDay: CivilDay.number(of: begin * 1_000, in: zone))
    }

    /// Days have changed, with the same commit: sums that have them count no more.
    package func daysChanged(_ begins: some Sequence<Int64>, _ db: Database) throws {
        guard state.withLock({ !$0.whole.isEmpty || $0.making != nil }) else { return }
        for month in Set(begins.map(month(ofDay:))) {
            let wasWhole = state.withLock { state in
                if state.making?.month == month { state.making?.isTouched = true }
                return state.whole.remove(month) != nil
            }
            if wasWhole { try MonthStore.withdraw(month, db) }
        }
    }

    /// The making of a month begins.
    package func begin(_ month: CivilMonth) { state.withLock { $0.making = (month, false) } }

    /// Whether its days are still as they were when it began.
    package var isGood: Bool { state.withLock { $0.making.map { !$0.isTouched } ?? false } }

    /// The month's sums are whole, unless its days have changed; on the engine's thread.
    ///
    /// - Returns: false if they have.
    package func finish(_ month: CivilMonth, now: UnixMilliseconds, _ db: Database) throws -> Bool {
        guard state.withLock({ $0.making?.month == month && $0.making?.isTouched == false }) else { return false }
        try MonthStore.finish(month, now: now, db)
        state.withLock { _ = $0.whole.insert(month) }
        return true
    }

    /// It is over.
    package func end() { state.withLock { $0.making = nil } }
}
