internal import Foundation
internal import GRDB
internal import Logging
internal import ServiceKit
internal import Storage

/// One run of the router, as far as numbers of messages are concerned.
///
/// Messages leave before the transaction that numbers them is on disk: what caused them is in ingest's journal, and the same
/// alarms come of it again. But after a power cut, or a log that could not be synced, the database may have forgotten numbers
/// that were given out, and then they leap (``AlertLeaps``). The end of the process alone takes nothing of what was committed.
struct AlertLife {
    /// One row from the start of a run to its clean end: the boot of the machine that it began in.
    static let migration = Migration("runs", sql: "CREATE TABLE alert_lives (boot TEXT NOT NULL)")

    /// The present boot of this machine, by Linux (https://man7.org/linux/man-pages/man5/proc_sys_kernel.5.html); where it
    /// does not tell every run has its own.
    static let thisBoot =
        (try? SmallFile.read("/proc/sys/kernel/random/boot_id").trimmingCharacters(in: .whitespacesAndNewlines))
        ?? UUID().uuidString

    let database: ServiceDatabase
    /// A file that is there after a run that failed. It need not outlive the boot, after which numbers leap anyway.
    let failureMark: String
    var boot = Self.thisBoot

    /// To be called before any number is given out.
    ///
    /// - Returns: whether numbers leap, because some may have been forgotten.
    func begin() throws -> Bool {
        let hasFailed = FileManager.default.fileExists(atPath: failureMark)
        let leaps = try database.write { db in
            let before = try String.fetchOne(db, sql: "SELECT boot FROM alert_lives")
            let leaps = before.map { $0 != boot || hasFailed } ?? false
            if leaps { try AlertLeaps.leap(db) }
            try db.execute(sql: "DELETE FROM alert_lives")
            try db.execute(sql: "INSERT INTO alert_lives (boot) VALUES (?)", arguments: [boot])
            return leaps
        }
        if hasFailed { try SmallFile.remove(failureMark) }
        return leaps
    }

    /// To be called when nothing is published any more.
    ///
    /// - Parameter failure: what ended the run, if it was not asked to end.
    func end(after failure: (any Error)?, _ log: Logger) {
        do {
            if failure == nil { return try database.write { try $0.execute(sql: "DELETE FROM alert_lives") } }
            if !FileManager.default.fileExists(atPath: failureMark) { try SmallFile.write("", to: failureMark) }
        } catch {
            log.error("how this run ended cannot be noted: \(error)")
        }
    }
}
