import Glibc
import Foundation

extension Home {
    /// Makes the home and its directories (0700) if they are missing, and checks that this build may use it.
    ///
    /// Any number of processes may do so at once.
    ///
    /// - Parameter timeZone: fixed in the home by the first caller.
    /// - Throws: ``ServiceError``: a path without permission, a newer home, another time zone.
    public func prepare(timeZone: String? = nil) throws {
        try createDirectory(path)
        for directory in [keys, run, log, replay] { try createDirectory(directory) }
        try checkPrivate(keys)
        try settle(versionFile, "\(Self.currentVersion)")
        try checkVersion()
        if let timeZone { try fix(timeZone) }
    }

    /// `prepare`, then the service's own directory.
    public func prepare(for service: ServiceName, timeZone: String) throws {
        try prepare(timeZone: timeZone)
        try createDirectory(directory(of: service))
    }

    /// Makes a directory (0700) with its parents; one that exists is left as it is.
    ///
    /// - Throws: ``ServiceError`` naming the path and the cause.
    public func createDirectory(_ path: String) throws {
        var cause = mkdir(path, 0o700) == 0 ? 0 : errno
        if cause == ENOENT, path != "/" {
            try createDirectory(String(path[..<path.lastIndex(of: "/")!]))
            cause = mkdir(path, 0o700) == 0 ? 0 : errno
        }
        if cause == EEXIST { return try checkUsable(path) }
        guard cause == 0 else {
            throw ServiceError(.home, "NKUL_HOME: cannot make the directory \(path)", errno: cause)
        }
    }

    private func checkUsable(_ path: String) throws {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue else {
            throw ServiceError(.home, "NKUL_HOME: cannot make the directory \(path)", errno: ENOTDIR)
        }
        guard access(path, R_OK | W_OK | X_OK) == 0 else {
            throw ServiceError(.home, "NKUL_HOME: no permission to use the directory \(path)", errno: errno)
        }
    }

    /// Refuses a home that a later build has written.
    ///
    /// - Throws: ``ServiceError`` naming the file and both versions.
    public func checkVersion() throws {
        let text = try read(versionFile)
        guard let version = Int(text) else {
            throw ServiceError(.home, "\(versionFile): \"\(text)\" is not a version number; is \(path) a home of nkul?")
        }
        guard version <= Self.currentVersion else {
            throw ServiceError(
                .home,
                "\(versionFile): newer home (version \(version), this build of nkul knows up to \(Self.currentVersion)):"
                    + " upgrade the programs")
        }
    }

    private func fix(_ timeZone: String) throws {
        try settle(timeZoneFile, timeZone)
        let fixed = try read(timeZoneFile)
        guard fixed == timeZone else {
            throw ServiceError(
                .usage,
                "NKUL_TIME_ZONE: \"\(timeZone)\" is not allowed here; the home's day buckets are those of"
                    + " \(fixed) (\(timeZoneFile))")
        }
    }

    private func checkPrivate(_ directory: String) throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: directory)
        let permissions = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
        guard permissions & 0o077 == 0 else {
            let mode = String(permissions & 0o777, radix: 8)
            throw ServiceError(.home, "\(directory) has mode \(mode), so that others could read secrets; chmod 700 it")
        }
    }

    /// Writes a small file unless it exists; of several processes at once one wins, whole.
    private func settle(_ file: String, _ text: String) throws {
        guard access(file, F_OK) != 0 else { return }
        let draft = "\(file).\(getpid()).\(UInt32.random(in: 0 ... .max))"
        try SmallFile.write(text + "\n", to: draft)
        defer { unlink(draft) }
        guard link(draft, file) == 0 || errno == EEXIST else {
            throw ServiceError(.home, "cannot write \(file)", errno: errno)
        }
    }

    private func read(_ file: String) throws -> String {
        try SmallFile.read(file).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
