import Foundation
import Lanes
import Logging
import Models
import ServiceKit
import Synchronization
import Wire
import ZeroMQ
import SocketTesting

@testable import AlertRouter

/// Reads the endpoints of the alerts lane, as the exporter does.
final class Announcements: Sendable {
    fileprivate struct State {
        /// By tenant; nil: removed.
        var latest: [String: EndpointDocument?] = [:]
        var rows = 0
        var isStopped = false
    }

    private let state = Mutex(State())
    private let sockets: SocketThread
    private let client: LaneClient

    init(_ configuration: AlertRouterConfiguration) throws {
        sockets = SocketThread(name: "announcements", context: try Context())
        sockets.start()
        client = try LaneClient(
            reader: "analytics-exporter", subscriptions: [LaneSubscription(lane: .alerts, kinds: [.endpoint])],
            endpoints: [.alerts: LaneEndpoint(address: configuration.common.endpoint(of: .alerts))], cursors: [:],
            sockets: sockets, log: Logger(label: "test"))
        try client.start()
        Thread.detachNewThread { [self] in read() }
    }

    /// Waits until a tenant's endpoint is announced.
    func endpoint(_ tenant: String) async throws -> EndpointDocument {
        _ = try await eventually(within: 60) { state.withLock { $0.latest[tenant] ?? nil } != nil }
        return try state.withLock { $0.latest[tenant] ?? nil } ?? { throw CancellationError() }()
    }

    /// Waits until a tenant's endpoint is taken back.
    func isRemoved(_ tenant: String) async throws -> Bool {
        try await eventually(within: 60) { state.withLock { $0.latest[tenant].map { $0 == nil } ?? false } }
    }

    /// Rows read so far.
    var rows: Int { state.withLock { $0.rows } }

    func stop() {
        state.withLock { $0.isStopped = true }
        client.wake()
        sockets.stop()
    }

    private func read() {
        var decoder = ColumnDecoder()
        while !state.withLock({ $0.isStopped }) {
            let batch = client.next(until: .now + .seconds(1))
            for block in batch.blocks {
                guard let columns = try? block.block.columns(with: &decoder) else { continue }
                state.withLock { $0.take(columns) }
            }
            client.release(batch)
        }
    }
}

extension Announcements.State {
    fileprivate mutating func take(_ columns: Columns) {
        for row in 0..<columns.rowCount {
            guard let key = columns[ColumnID.key]?.value(row) else { continue }
            let document = columns[ColumnID.document]?.value(row).flatMap {
                try? JSONDecoder().decode(EndpointDocument.self, from: Data($0))
            }
            latest.updateValue(document, forKey: String(decoding: key, as: UTF8.self))
            rows += 1
        }
    }
}
