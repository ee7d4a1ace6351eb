internal import AggregatorCells
public import Foundation
public import Storage

/// The day files: each opened when needed, those used longest ago closed. Confined to the thread that writes.
public final class OpenRowDirectory {
    /// Most files open at once: nine open days, tomorrow, and a few to spare.
    static let openLimit = 14
    private let path: String?
    private let options: DatabaseOptions
    private var days: LocalDays
    private var files: [Int64: ServiceDatabase] = [:]
    private var used: [Int64] = []

    /// Day files in a directory, made if it is not there; nil keeps them all in memory, for simulations.
    public init(
        path: String?, timeZone: TimeZone,
        options: DatabaseOptions = DatabaseOptions(cacheBytes: 1 << 20, writesBackSteadily: true)
    ) throws {
        self.path = path
        self.options = options
        days = LocalDays(timeZone)
        if let path {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
    }

    /// The file of a local day, made if it is not there.
    package func file(_ day: Int64) throws -> ServiceDatabase {
        used.removeAll { $0 == day }
        used.append(day)
        if let file = files[day] { return file }
        try closeOldest()
        let file = try ServiceDatabase(
            path: path.map { "\($0)/\(days.name(of: day)).sqlite" } ?? ":memory:",
            migrations: AggregatorSchema.dayMigrations, options: options)
        files[day] = file
        return file
    }

    /// The local days that have a file.
    package func existingDays() throws -> [Int64] {
        guard let path else { return files.keys.sorted() }
        return try OpenRowDirectory.days(in: path, &days)
    }

    /// The local days that have a file in a directory.
    static func days(in path: String, _ days: inout LocalDays) throws -> [Int64] {
        try FileManager.default.contentsOfDirectory(atPath: path).compactMap { name in
            name.hasSuffix(".sqlite") ? days.day(named: String(name.dropLast(7))) : nil
        }.sorted()
    }

    /// Makes the write-ahead logs of all files empty; false if somebody who reads was in the way.
    ///
    /// A file that is closed has left its log behind only if the process died or somebody else had it open.
    package func truncateLogs() throws -> Bool {
        guard let path else { return true }
        var areEmpty = true
        for name in try FileManager.default.contentsOfDirectory(atPath: path) where name.hasSuffix(".sqlite-wal") {
            guard let day = days.day(named: String(name.dropLast(11))) else { continue }
            let size = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[.size] as? Int
            if size != 0 { areEmpty = try file(day).truncateLog() && areEmpty }
        }
        return areEmpty
    }

    /// Where a local day ends, Unix seconds.
    package func end(of day: Int64) -> Int64 { days.end(of: day) }

    /// Unlinks the files of local days that begin before a time; they are gone from the disk when it returns.
    package func remove(before end: Int64) throws {
        for day in try existingDays() where day < end {
            try files.removeValue(forKey: day)?.close()
            used.removeAll { $0 == day }
            if let path { try ServiceDatabase.removeFiles(at: "\(path)/\(days.name(of: day)).sqlite") }
        }
    }

    /// Closes all files.
    func close() throws {
        for file in files.values { try file.close() }
        files.removeAll()
        used.removeAll()
    }

    private func closeOldest() throws {
        guard path != nil, files.count >= OpenRowDirectory.openLimit else { return }
        let oldest = used.first { files[$0] != nil }
        if let oldest, let file = files.removeValue(forKey: oldest) { try file.close() }
        used.removeAll { $0 == oldest }
    }
}
