import Lanes
import Logging
import Models
import Storage
import ZeroMQ

/// The sockets of a writer, in a ZeroMQ context of their own as in a process of their own.
///
/// When the last reference goes, the context waits for its sockets, so that the address is free again.
final class SocketWriter {
    let server: LaneServer
    /// As bound.
    let address: String
    private let thread: SocketThread

    init(_ journal: Journal, _ database: ServiceDatabase, at endpoint: LaneEndpoint, log: Logger) throws {
        thread = SocketThread(name: "writer", context: try Context())
        thread.start()
        server = try LaneServer(
            journals: [journal], endpoints: [.batch: endpoint], database: database, sockets: thread, log: log)
        address = try server.start()[.batch]!
    }

    func stop() {
        thread.stop()
        server.stop()
    }
}
