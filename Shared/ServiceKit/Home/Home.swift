import Foundation

/// The directory that holds everything: databases, sockets, keys, logs (`NKUL_HOME`).
///
///     <home>/version                       format of the home, one number
///     <home>/time-zone                     NKUL_TIME_ZONE of its first start
///     <home>/keys/                         0700: secrets, one file each, 0600
///     <home>/run/                          sockets, <service>.lock, <service>.json, clock.json
///     <home>/<service>/state.sqlite        what the service knows
///     <home>/log/  <home>/replay/
///
/// All paths are absolute. The value does no I/O until ``prepare(timeZone:)``.
public struct Home: Sendable, Equatable {
    /// The format that this build reads and writes.
    public static let currentVersion = 1
    /// The file below ``keys`` with the secret by which the aggregator divides devices among releases. A backup does not have it: a
    /// restored home gets another one, and does not release days of which releases may have been issued that it does not know.
    public static let releasesSecret = "batch-aggregator.releases.root"

    /// Absolute, without a final slash.
    public let path: String

    /// - Parameter path: relative ones are taken from the working directory.
    public init(path: String) {
        let absolute = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        self.path = Self.normalised(absolute)
    }

    public var run: String { path + "/run" }
    public var keys: String { path + "/keys" }
    public var log: String { path + "/log" }
    public var replay: String { path + "/replay" }
    public var versionFile: String { path + "/version" }
    public var timeZoneFile: String { path + "/time-zone" }

    /// `<home>/<service>`.
    public func directory(of service: ServiceName) -> String { "\(path)/\(service.rawValue)" }

    /// `<home>/<service>/state.sqlite`.
    public func database(of service: ServiceName) -> String { directory(of: service) + "/state.sqlite" }

    /// `<home>/run/<service>.lock`: held as long as the service's process lives.
    package func lockFile(of service: ServiceName) -> String { "\(run)/\(service.rawValue).lock" }

    /// `<home>/run/<service>.json`: where the running service can be reached, see ``ServiceRecord``.
    public func recordFile(of service: ServiceName) -> String { "\(run)/\(service.rawValue).json" }

    /// `<home>/run/clock.json`: how the clocks of its services run, if they follow a recording, see ``RecordingClock``.
    package var clockFile: String { "\(run)/clock.json" }

    private static func normalised(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", parts.last != nil { parts.removeLast() } else if part != ".." { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
