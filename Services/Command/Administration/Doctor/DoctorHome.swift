import Foundation
import ServiceKit

/// Looks at a home's directories: version, time zone, permissions, free space. Changes nothing.
struct DoctorHome {
    let home: Home

    /// Less than this is a problem: no block can be written for long.
    static let leastFreeBytes: Int64 = 200_000_000
    /// Less than this is a warning.
    static let comfortableFreeBytes: Int64 = 2_000_000_000

    func findings() -> [DoctorFinding] {
        [version(), timeZone()] + permissions() + [disk(freeBytes: freeBytes())]
    }

    private func version() -> DoctorFinding {
        do {
            try home.checkVersion()
            return .sound(home.versionFile, "version \(Home.currentVersion), as this build writes it.")
        } catch {
            return .problem(home.versionFile, "\(error).")
        }
    }

    private func timeZone() -> DoctorFinding {
        guard let text = try? SmallFile.read(home.timeZoneFile) else {
            return .warning(home.timeZoneFile, "no time zone is fixed yet; the first service to start does it.")
        }
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard TimeZone(identifier: name) != nil else {
            return .problem(home.timeZoneFile, "\"\(name)\" is not a time zone; day buckets cannot be told apart.")
        }
        return .sound(home.timeZoneFile, "day buckets are days of \(name).")
    }

    private func permissions() -> [DoctorFinding] {
        var findings: [DoctorFinding] = []
        for file in files(in: home.keys) { findings += secret(file) }
        findings += ["keys", "run"].flatMap { directory(home.path + "/" + $0) }
        return findings.isEmpty ? [.sound(home.keys, "secrets are readable by their owner only.")] : findings
    }

    private func directory(_ path: String) -> [DoctorFinding] {
        guard let mode = mode(path) else { return [.problem(path, "missing or unreadable.")] }
        guard mode & 0o077 == 0 else {
            return [.problem(path, "others may use it (mode \(String(mode, radix: 8))); chmod 700 it.")]
        }
        guard access(path, R_OK | W_OK | X_OK) == 0 else {
            return [.problem(path, "no permission to use it: \(ErrnoText.of(errno)).")]
        }
        return []
    }

    private func secret(_ path: String) -> [DoctorFinding] {
        guard let mode = mode(path), mode & 0o077 != 0 else { return [] }
        return [
            .problem(path, "others may read this secret (mode \(String(mode, radix: 8))); chmod 600 it and renew it.")
        ]
    }

    func disk(freeBytes: Int64?) -> DoctorFinding {
        guard let freeBytes else { return .problem("disk", "cannot tell how much is free at \(home.path).") }
        let text = "\(freeBytes / 1_000_000) MB free at \(home.path)"
        if freeBytes < Self.leastFreeBytes {
            return .problem("disk", "\(text): uploads will soon be refused with 503.")
        }
        if freeBytes < Self.comfortableFreeBytes { return .warning("disk", "\(text): make room.") }
        return .sound("disk", "\(text).")
    }

    private func freeBytes() -> Int64? {
        let values = try? FileManager.default.attributesOfFileSystem(forPath: home.path)
        return (values?[.systemFreeSize] as? NSNumber)?.int64Value
    }

    private func files(in directory: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.sorted().map { directory + "/" + $0 }
    }

    private func mode(_ path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
    }
}
