internal import GRDB
internal import Models

/// A change that waits for the thread that writes the database, whatever its result is.
struct OperationJob: Sendable {
    /// What it changed: records for the lane, and the answer that is due once they are committed.
    struct Done: Sendable {
        let records: [OperationRecord]
        let answer: @Sendable () -> Void
    }

    let perform: @Sendable (Database, UnixMilliseconds) throws -> Done
    let fail: @Sendable (any Error) -> Void
}
