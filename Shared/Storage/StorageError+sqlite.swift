internal import GRDB

extension StorageError {
    /// The error of a database at a path, with SQLite's extended code kept.
    init(_ error: DatabaseError, path: String) {
        let code: Code =
            switch error.resultCode {
            case .SQLITE_FULL: .diskFull
            case .SQLITE_IOERR: .inputOutput
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: .corrupt
            case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM: .notWritable
            default: .sqlite
            }
        var message = error.message ?? "SQLite failed"
        if let sql = error.sql { message += " in: \(sql)" }
        self.init(code, path: path, message: message, sqliteCode: error.extendedResultCode.rawValue)
    }

    /// True if the state of the file is unknown from here on: no later call may pretend that it is known.
    var isFinal: Bool { code == .inputOutput || code == .corrupt }
}
