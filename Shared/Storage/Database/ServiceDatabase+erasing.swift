internal import Foundation
public import GRDB
internal import GRDBSQLite

extension ServiceDatabase {
    /// Writes the whole write-ahead log to the file and makes it empty, so that pages as they once were are gone from it.
    ///
    /// To be called outside a transaction, after rows were erased. A long reader of an older moment is in the way for as long
    /// as it reads; ask again then.
    ///
    /// Waits for short reads only, some 5 ms in all: it is called on the thread that does the service's work. Who begins to
    /// read once the pages are in the file needs no log and is not in the way.
    ///
    /// - Returns: false if somebody was in the way: the log may still have everything.
    /// - Throws: ``StorageError`` `inputOutput` if the file could not be written, after which the database accepts nothing
    ///   more.
    public func truncateLog() throws -> Bool {
        guard path != ":memory:" else { return true }
        return try emptyLog(waiting: Self.waitBriefly) == SQLITE_OK
    }

    /// SQLite's own handler sleeps 1, 2, 5, 10 ms: longer than most reads take.
    private static let waitBriefly: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32 = { _, times in
        guard times < 20 else { return 0 }
        usleep(200)
        return 1
    }

    /// Writes tables anew inside the caller's transaction: secondary indexes, and tables without rowid as a whole.
    ///
    /// `secure_delete` zeroes what is deleted where it stands, and pages that are given back. It leaves copies in the gaps of
    /// pages between which SQLite moved rows when it balanced a tree; a tree that is written anew has none. Takes time by
    /// the size of the tables.
    public static func rewrite(tables: [String], _ db: Database) throws {
        for table in tables { try db.execute(sql: "REINDEX \(table)") }
    }
}

extension ServiceDatabase {
    /// Unlinks the file of a database that nobody of this process has open, and those beside it; they are gone from the disk
    /// when it returns. Files that are not there change nothing.
    ///
    /// - Throws: `StorageError` naming the file.
    public static func removeFiles(at path: String) throws {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        // The log goes first: left behind, it would be taken for that of a new file of the same name.
        try FileRemoval.remove([path + "-wal", path + "-shm", path], in: directory)
    }
}
