import Lanes
import Logging
import Models
import QoE
import ServiceKit
import Storage
import Wire
import ZeroMQ

@testable import AlertRouter

/// The writer of one lane, as ingest or the exporter is one.
final class LaneWriter {
    private let database: ServiceDatabase
    private let journal: Journal
    private let sockets: SocketThread
    private let server: LaneServer
    private var encoder = ColumnEncoder()

    init(_ configuration: AlertRouterConfiguration, _ lane: LaneName = .realtime) throws {
        let path = "\(configuration.common.home.path)/\(lane.rawValue).sqlite"
        database = try ServiceDatabase(path: path, migrations: [])
        journal = try Journal(lane: lane, in: database)
        sockets = SocketThread(name: "writer", context: try Context())
        sockets.start()
        let endpoint = LaneEndpoint(address: configuration.common.endpoint(of: lane))
        server = try LaneServer(
            journals: [journal], endpoints: [lane: endpoint], database: database, sockets: sockets,
            clock: { 1 }, log: Logger(label: "test"))
        try server.start()
    }

    /// What its blocks are of.
    var generation: UInt64 { journal.generation }

    func append(_ rows: [Urgent]) throws {
        try append(.report, Urgent.columns(rows), now: rows[0].receivedAt)
    }

    func append(_ kind: RecordKind, _ columns: Columns, now: UnixMilliseconds = 1_750_000_000_000) throws {
        let blocks = try database.write { db in
            try journal.append(db, kind: kind, columns: columns, encoder: &encoder, now: now)
        }
        server.publish([(lane: journal.lane, blocks: blocks)])
    }

    func stop() {
        sockets.stop()
        server.stop()
    }
}
