import CommandSupport
import Foundation
import Lanes
import ServiceKit
import Storage

/// Whether a home came out of a backup, and which services have not taken that in yet.
struct DoctorRestore {
    let home: Home

    /// Nothing for a home that was never restored.
    func findings() -> [DoctorFinding] {
        do {
            guard let restoration = try home.restoration() else { return [] }
            let waiting = waiting(restoration).map(\.executable)
            let text =
                "restored at \(AdminTable.time(restoration.restoredAt)) from a backup of"
                + " \(AdminTable.time(restoration.backedUpAt))"
            if waiting.isEmpty {
                return [.sound(home.restoredFile, "\(text); all services have taken it in.")] + orders()
            }
            return [
                .warning(
                    home.restoredFile,
                    "\(text); not started since: \(waiting.joined(separator: ", ")). Run \"nkul up\".")
            ] + orders()
        } catch { return [.problem(home.restoredFile, "\(error).")] }
    }

    /// Services whose databases have not been opened since the restore.
    func waiting(_ restoration: Restoration) -> [ServiceName] {
        (ServiceName.built + [.notifier]).filter { service in
            guard let database = try? ReadOnlyDatabase(path: home.database(of: service)) else { return false }
            defer { try? database.close() }
            return (try? database.read { try RestoreRecord.isSettled(restoration.id, $0) }) == false
        }
    }

    private func orders() -> [DoctorFinding] {
        guard access(home.ordersSinceFile, F_OK) == 0 else { return [] }
        return [
            .warning(
                home.ordersSinceFile,
                "erasures since the backup are still to be done; nkul-ingest takes them when it starts.")
        ]
    }
}
