internal import CWriteGathering
internal import GRDBSQLite

/// How a path is handed to SQLite.
enum DatabaseLocation {
    /// The path itself, or a URI that names a VFS (https://www.sqlite.org/uri.html).
    static func name(_ path: String, vfs: String?) throws -> String {
        guard let vfs else { return path }
        guard sqlite3_compileoption_used("USE_URI") != 0 else {
            throw StorageError(
                .sqlite, path: path, message: "this SQLite was built without URI file names; VFS \(vfs) is unreachable")
        }
        let plain = Set("/-._~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        let escaped = path.utf8.map { byte in
            plain.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "file:\(path.hasPrefix("/") ? "//" : "")\(escaped.joined())?vfs=\(vfs)"
    }

    /// Name of the VFS that writes logs in large pieces through another one; nil is the default one.
    static func gatheringVFS(over vfs: String?) throws -> String {
        let name = "gathering-\(vfs ?? "default")"
        let code = nkul_gathering_register(vfs, name)
        guard code == SQLITE_OK else {
            throw StorageError(.sqlite, path: name, message: "the VFS could not be registered", sqliteCode: code)
        }
        return name
    }
}
