internal import GRDB

extension DatabaseOptions {
    /// How long a statement waits for another connection's lock.
    static let busySeconds: Int32 = 5

    /// Settings of the writing connection; none of them changes a file that is there.
    var writerConfiguration: Configuration {
        var configuration = Configuration()
        configuration.label = "writer"
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(Double(Self.busySeconds))
        configuration.prepareDatabase { [self] db in
            try db.execute(sql: "PRAGMA page_size = \(pageBytes)")
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try db.execute(sql: "PRAGMA secure_delete = \(secureDelete ? "ON" : "OFF")")
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
            try db.execute(sql: "PRAGMA cache_size = -\(cacheBytes / 1024)")
            try db.execute(sql: "PRAGMA journal_size_limit = \(max(64 << 20, pageBytes * Int(checkpointPages)))")
        }
        return configuration
    }

    /// Settings of a reading connection. It is opened read-only, so that it can neither write nor checkpoint, not even
    /// when it is the last to close (that needs a write lock on the file, which a read-only descriptor cannot take).
    var readerConfiguration: Configuration {
        var configuration = Configuration()
        configuration.label = "reader"
        configuration.readonly = true
        configuration.busyMode = .timeout(Double(Self.busySeconds))
        configuration.prepareDatabase { [self] db in
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
            try db.execute(sql: "PRAGMA cache_size = -\(max(cacheBytes / 4096, 256))")
        }
        return configuration
    }
}
