import Laboratory
import NIOCore
import ServiceKit

/// Uploads at a constant rate that go on while something else is measured.
final class PacedLoad: Sendable {
    private let pool: LoadPool
    private let load: BatchLoad
    private let running: Task<BatchLoad.Counts, any Error>

    /// Begins to send.
    ///
    /// - Parameter rate: uploads a second; infinity: as many as are taken.
    init(_ stock: UploadStock, rate: Double, at host: HostPort) throws {
        let pool = try LoadPool(host: host.host, port: host.port, connections: 64)
        let load = BatchLoad(stock, pool: pool, interval: rate.isFinite ? .seconds(1 / rate) : nil)
        self.pool = pool
        self.load = load
        running = Task { try await load.run() }
    }

    /// Reports that have a receipt.
    var received: Int {
        let counts = load.current
        return counts.accepted + counts.duplicates
    }

    /// Those of them that were new.
    var accepted: Int { load.current.accepted }

    /// False if the stock did not last.
    var isSending: Bool { load.hasMore }

    /// Sends nothing more and waits for what is under way.
    func end() async throws {
        load.stop()
        _ = try await running.value
        await pool.shutdown()
    }
}
