internal import GRDBSQLite

/// Makes a database's file grow in large steps that the file system sets aside at once.
///
/// A checkpoint that makes a file longer waits, in its fsync, for the file system to find a place for every page: 3 to
/// 17 ms for 4 MB, where pages that have a place take 2. SQLite knows steps (`SQLITE_FCNTL_CHUNK_SIZE`) but fills them with
/// zeros itself unless it was built otherwise, so the place is taken here before a checkpoint looks for it.
///
/// Confined to the connection it belongs to.
final class FileGrowth {
    private let file: DatabaseFile
    private let stepBytes: Int64
    private var reservedBytes: Int64

    init(_ file: DatabaseFile, stepBytes: Int) {
        self.file = file
        self.stepBytes = Int64(stepBytes)
        reservedBytes = file.byteCount
    }

    /// Sets space aside for the pages that a checkpoint is about to write; without room for a whole step the file grows
    /// page by page.
    func makeRoom(_ connection: OpaquePointer?, _ name: UnsafePointer<CChar>?) {
        let needed = pragma("page_count", connection) * pragma("page_size", connection)
        let steps = (needed + stepBytes - 1) / stepBytes * stepBytes
        if steps > reservedBytes, file.reserve(steps) { reservedBytes = steps }
        var step = steps > reservedBytes ? 0 : Int32(stepBytes)
        sqlite3_file_control(connection, name, SQLITE_FCNTL_CHUNK_SIZE, &step)
    }

    private func pragma(_ name: String, _ connection: OpaquePointer?) -> Int64 {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(connection, "PRAGMA \(name)", -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW
        else { return 0 }
        return sqlite3_column_int64(statement, 0)
    }
}
