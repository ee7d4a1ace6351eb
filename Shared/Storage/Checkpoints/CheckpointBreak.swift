internal import GRDBSQLite
internal import Synchronization

/// Lets any thread break off a checkpoint that writes pages to the file. What it has written stays and is right, for the log
/// still has it all; a later checkpoint writes it again.
final class CheckpointBreak: Sendable {
    private struct Running: @unchecked Sendable {
        // Sendable: other threads only interrupt it, under the lock, while its own thread cannot close it.
        let connection: OpaquePointer
        var isCut = false
    }

    private let running = Mutex<Running?>(nil)

    /// Runs a checkpoint, which then may end with `SQLITE_INTERRUPT`.
    func during(_ connection: OpaquePointer, _ checkpoint: () -> Int32) -> Int32 {
        running.withLock { $0 = Running(connection: connection) }
        let code = checkpoint()
        let wasCut = running.withLock { running in
            defer { running = nil }
            return running?.isCut ?? false
        }
        // A cut that came too late must not meet what the connection does next; any statement forgets it as it begins.
        if wasCut { sqlite3_exec(connection, "SELECT 1", nil, nil, nil) }
        return code
    }

    /// Breaks off the checkpoint that runs now, if one does, at its next page.
    func cut() {
        running.withLock { running in
            guard let connection = running?.connection else { return }
            running?.isCut = true
            sqlite3_interrupt(connection)
        }
    }
}
