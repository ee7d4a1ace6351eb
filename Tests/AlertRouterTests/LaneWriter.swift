import Lanes
import Logging
import Models
import ServiceKit
import Storage
import Wire
import ZeroMQ

@testable import AlertRouter

/// The writer of the real-time lane, as ingest is one.
final class LaneWriter {
    private let database: ServiceDatabase
    private let journal: Journal
    private let sockets: SocketThread
    private let server: LaneServer
    private var encoder = ColumnEncoder()

    init(_ configuration: AlertRouterConfiguration) throws {
        database = try ServiceDatabase(path: configuration.common.home.path + "/realtime.sqlite", migrations: [])
        journal = try Journal(lane: .realtime, in: database)
        sockets = SocketThread(name: "writer", context: try Context())
        sockets.start()
        let endpoint = LaneEndpoint(address: configuration.common.endpoint(of: .realtime))
        server = try LaneServer(
            journals: [journal], endpoints: [.realtime: endpoint], database: database, sockets: sockets,
            log: Logger(label: "test"))
        try server.start()
    }

    func append(_ rows: [Urgent]) throws {
        let blocks = try database.write { db in
            try journal.append(
                db, kind: .report, columns: Urgent.columns(rows), encoder: &encoder, now: rows[0].receivedAt)
        }
        server.publish([(lane: .realtime, blocks: blocks)])
    }

    func stop() {
        sockets.stop()
        server.stop()
    }
}
