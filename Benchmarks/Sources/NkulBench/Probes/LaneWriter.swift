import Foundation
import Lanes
import Logging
import Models
import QoE
import Storage
import Wire
import ZeroMQ

/// The writing process of the lane measurement: commits a block of 100 rows every 2 ms, then says when each was committed.
enum LaneWriter {
    static let blocks = 2_000

    static func run(home: String) throws {
        let database = try ServiceDatabase(path: "\(home)/writer.sqlite", migrations: [])
        let journal = try Journal(lane: .realtime, in: database)
        let sockets = SocketThread(name: "bench-writer", context: try Context())
        sockets.start()
        let server = try LaneServer(
            journals: [journal], endpoints: [.realtime: LaneEndpoint(address: "ipc://\(home)/lane.sock")],
            database: database,
            sockets: sockets, clock: { 0 }, log: Logger(label: "bench"))
        try server.start()
        print("ready")
        fflush(nil)
        guard readLine() != nil else { return }
        var encoder = ColumnEncoder(), times: [UInt64] = []
        let columns = Self.columns()
        for _ in 0..<blocks {
            let made = try database.write { db in
                try journal.append(
                    db, kind: .report, columns: columns, encoder: &encoder,
                    now: Int64(Date().timeIntervalSince1970 * 1_000))
            }
            times.append(Monotonic.nanoseconds())
            server.publish([(.realtime, made)])
            usleep(2_000)
        }
        print(times.map(String.init).joined(separator: " "))
        fflush(nil)
        _ = readLine()
        sockets.stop()
        server.stop()
    }

    private static func columns() -> Columns {
        var random = SplitMix64(seed: 9)
        return Columns(
            rowCount: 100,
            columns: [ColumnID.device, ColumnID.capturedAt, ColumnID.latitude, ColumnID.longitude, ColumnID.rsrp].map {
                id in
                Column(id: id, values: (0..<100).map { _ in Int64(random.below(100_000)) })
            })
    }
}
