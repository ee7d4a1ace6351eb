import Foundation
import GRDB
import Models
import ServiceKit
import Storage

/// Looks whether what is too old is deleted, and when that was last done by everybody.
struct DoctorRetention {
    /// A run is late for people after two days.
    static let patience: UnixMilliseconds = 48 * 3_600_000
    private static let subject = "retention"

    let home: Home
    let now: UnixMilliseconds

    func finding() -> DoctorFinding {
        let path = home.database(of: .privacyWorker)
        guard FileManager.default.fileExists(atPath: path) else {
            return .sound(Self.subject, "no run yet: the privacy worker has not run in this home.")
        }
        do {
            let database = try ReadOnlyDatabase(path: path)
            defer { try? database.close() }
            return try database.read { try finding($0) }
        } catch {
            return .problem(Self.subject, "cannot be read: \(error).")
        }
    }

    private func finding(_ db: Database) throws -> DoctorFinding {
        guard try db.tableExists("retention_orders") else {
            return .sound(Self.subject, "no run yet: the privacy worker has not run in this version.")
        }
        let last = try Int64.fetchOne(
            db, sql: "SELECT max(issued_at) FROM retention_orders WHERE is_dry_run = 0 AND completed_at IS NOT NULL")
        let begin = try Int64.fetchOne(db, sql: "SELECT at FROM retention_begin")
        guard let since = last ?? begin else { return .sound(Self.subject, "no run yet.") }
        let told =
            last.map { "the last run that everybody executed was ordered at \(SystemTime.text($0))" }
            ?? "no run yet that everybody executed, since \(SystemTime.text(since))"
        guard now - since > Self.patience else { return .sound(Self.subject, told + ".") }
        return .warning(
            Self.subject,
            told + ": data is kept longer than it may be. See \"nkul admin retention list\" for who has not.")
    }
}
