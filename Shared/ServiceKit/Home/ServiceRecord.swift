import Foundation
public import Models

/// `<home>/run/<service>.json`: who runs, and where it can be reached. Written when a listener is bound, removed at a clean end.
public struct ServiceRecord: Sendable, Codable, Equatable {
    public var service: ServiceName
    public var version: String
    public var pid: Int32
    public var startedAt: UnixMilliseconds
    /// Name of the listener → address that is really bound: `admin` → `127.0.0.1:9101`.
    public var listeners: [String: String]

    public init(
        service: ServiceName, version: String, pid: Int32, startedAt: UnixMilliseconds, listeners: [String: String]
    ) {
        self.service = service
        self.version = version
        self.pid = pid
        self.startedAt = startedAt
        self.listeners = listeners
    }

    enum CodingKeys: String, CodingKey {
        case service, version, pid, listeners
        case startedAt = "started_at_ms"
    }

    /// The record of a service that runs now; nil if none does or it has not bound anything yet.
    public static func ofRunning(_ service: ServiceName, in home: Home) -> ServiceRecord? {
        guard HomeLock.isHeld(home, of: service), let text = try? SmallFile.read(home.recordFile(of: service)),
            let record = try? JSONDecoder().decode(ServiceRecord.self, from: Data(text.utf8)),
            record.pid == HomeLock.owner(home, of: service)
        else { return nil }
        return record
    }

    /// The record as one line of JSON with sorted keys.
    public func json() -> String {
        (try? SortedJSON.text(of: self)) ?? ""
    }
}
