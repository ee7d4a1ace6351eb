import Dispatch
import Lanes
import Logging
import Models
import Storage
import Synchronization
import ZeroMQ

/// The sockets of a writer, in a ZeroMQ context of their own as in a process of their own.
///
/// When the last reference goes, the context waits for its sockets, so that the address is free again.
final class SocketWriter {
    let server: LaneServer
    /// As bound.
    let address: String
    private let thread: SocketThread
    /// A clock on which a second passes whenever somebody looks.
    private static let clock = Atomic<UnixMilliseconds>(1_750_000_000_000)

    init(_ journal: Journal, _ database: ServiceDatabase, at endpoint: LaneEndpoint, log: Logger) throws {
        thread = SocketThread(name: "writer", context: try Context())
        thread.start()
        server = try LaneServer(
            journals: [journal], endpoints: [.batch: endpoint], database: database, sockets: thread,
            clock: { Self.clock.wrappingAdd(1_000, ordering: .relaxed).newValue }, log: log)
        address = try server.start()[.batch]!
    }

    /// Holds up the socket thread until the function returned is called.
    func suspend() -> () -> Void {
        let goOn = DispatchSemaphore(value: 0)
        thread.enqueue { _ in goOn.wait() }
        return { goOn.signal() }
    }

    func stop() {
        thread.stop()
        server.stop()
    }
}
