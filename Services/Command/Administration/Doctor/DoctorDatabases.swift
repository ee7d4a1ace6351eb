import Foundation
import GRDB
import ServiceKit
import Storage

/// Opens every database of a home read-only and lets SQLite check it.
struct DoctorDatabases {
    let home: Home
    /// Told the path before each check, which takes long on large files.
    var progress: (String) -> Void = { _ in }

    /// All SQLite files below the services' directories, sorted.
    func paths() -> [String] {
        var paths: [String] = []
        for service in ServiceName.allCases {
            let directory = home.directory(of: service)
            let names = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? []
            paths += names.filter { $0.hasSuffix(".sqlite") }.map { directory + "/" + $0 }
        }
        return paths.sorted()
    }

    func findings() -> [DoctorFinding] {
        let paths = paths()
        guard !paths.isEmpty else { return [.sound("databases", "none yet: no service has started in this home.")] }
        return paths.flatMap { finding($0) }
    }

    private func finding(_ path: String) -> [DoctorFinding] {
        progress(path)
        do {
            let database = try ReadOnlyDatabase(path: path)
            defer { try? database.close() }
            let (answers, schema) = try database.read { db in
                (
                    try String.fetchAll(db, sql: "PRAGMA quick_check(10)"),
                    try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
                )
            }
            guard answers == ["ok"] else {
                return [.problem(path, "damaged: \(answers.joined(separator: "; ")).")]
            }
            return [.sound(path, "sound, schema \(schema), \(size(path) / 1_000) kB.")] + readable(path)
        } catch {
            return [.problem(path, "cannot be read: \(error).")]
        }
    }

    /// What is personal must not be for all eyes.
    private func readable(_ path: String) -> [DoctorFinding] {
        let attributes = try? FileManager.default.attributesOfItem(atPath: (path as NSString).deletingLastPathComponent)
        guard let mode = attributes?[.posixPermissions] as? Int, mode & 0o077 != 0 else { return [] }
        return [.problem(path, "others may read its directory (mode \(String(mode, radix: 8))); chmod 700 it.")]
    }

    /// With its write-ahead log.
    private func size(_ path: String) -> Int64 {
        [path, path + "-wal"].reduce(0) { sum, file in
            let attributes = try? FileManager.default.attributesOfItem(atPath: file)
            return sum + ((attributes?[.size] as? NSNumber)?.int64Value ?? 0)
        }
    }
}
