internal import Foundation
public import GRDB
internal import GRDBSQLite

/// A statement that is prepared once and run very often with bytes that are not copied into objects.
///
/// GRDB's statements bind `Data` and build a row object; at a million cells a minute that is most of the time. Lives as long
/// as the connection, on its thread, and is used inside its transactions only.
public final class PreparedStatement {
    private let handle: OpaquePointer

    /// Prepares SQL for a connection.
    ///
    /// - Throws: `DatabaseError` if it is wrong.
    public init(_ db: Database, _ sql: String) throws {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(
            db.sqliteConnection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code), message: PreparedStatement.message(db.sqliteConnection),
                sql: sql)
        }
        self.handle = handle
    }

    deinit { sqlite3_finalize(handle) }

    /// Binds a number; indexes count from 1.
    public func bind(_ value: Int64, _ index: Int32) { sqlite3_bind_int64(handle, index, value) }

    /// Binds bytes that stay where they are until ``reset()``.
    public func bind(_ bytes: UnsafeRawBufferPointer, _ index: Int32) {
        guard let base = bytes.baseAddress, !bytes.isEmpty else {
            sqlite3_bind_zeroblob(handle, index, 0)
            return
        }
        sqlite3_bind_blob(handle, index, base, Int32(bytes.count), nil)
    }

    /// True if there is a row, false at the end.
    public func step() throws -> Bool {
        IdleTurn.giveWay()
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else {
            let connection = sqlite3_db_handle(handle)
            let error = DatabaseError(
                resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
                message: PreparedStatement.message(connection), sql: String(cString: sqlite3_sql(handle)))
            sqlite3_reset(handle)
            throw error
        }
        return false
    }

    /// Runs a statement without rows.
    public func run() throws {
        _ = try step()
        reset()
    }

    /// Makes it ready for the next values.
    public func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// The number in a column, from 0.
    public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// The bytes of a column; valid until the next step or reset.
    public func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: sqlite3_column_blob(handle, column), count: Int(sqlite3_column_bytes(handle, column)))
    }

    private static func message(_ connection: OpaquePointer?) -> String {
        connection.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
    }
}

/// Bytes in and out of SQLite.
public enum Blob {
    /// What SQLite keeps of bytes.
    public static func value(_ bytes: [UInt8]) -> DatabaseValue { Data(bytes).databaseValue }

    /// The bytes of a column, from 0; none where it is null.
    public static func bytes(_ row: Row, _ column: Int) -> [UInt8] { optionalBytes(row, column) ?? [] }

    /// The bytes of a column, from 0; nil where it is null.
    public static func optionalBytes(_ row: Row, _ column: Int) -> [UInt8]? { (row[column] as Data?).map { Array($0) } }
}
