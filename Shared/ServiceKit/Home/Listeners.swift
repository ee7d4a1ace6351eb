import Foundation
public import Models
import Synchronization

/// What the service listens on, told to others in `run/<service>.json` and `/healthz`.
public final class Listeners: Sendable {
    private let file: String
    private let record: Mutex<ServiceRecord>

    public init(_ service: ServiceName, home: Home, startedAt: UnixMilliseconds) {
        file = home.recordFile(of: service)
        record = Mutex(
            ServiceRecord(service: service, version: Version.text, pid: getpid(), startedAt: startedAt, listeners: [:]))
    }

    /// Says where a listener is bound: `report("device_api", "127.0.0.1:8080")`. From any thread.
    ///
    /// - Throws: ``ServiceError`` if the file in `run/` cannot be written.
    public func report(_ name: String, _ address: String) throws {
        try record.withLock { record in
            record.listeners[name] = address
            try SmallFile.replace(file, with: record.json() + "\n")
        }
    }

    /// The record as it is now.
    public var current: ServiceRecord { record.withLock { $0 } }

    /// The address of a listener once it is bound.
    public func address(of name: String) -> String? { current.listeners[name] }

    /// Removes the file: nobody is to be found here any more.
    public func withdraw() { unlink(file) }
}
