import Laboratory
import NIOCore
import ServiceKit

/// Asks a service's `/metrics` for whole numbers.
final class ServiceCounts {
    private let pool: LoadPool
    private let request: LoadRequest

    init(_ address: HostPort) throws {
        pool = try LoadPool(host: address.host, port: address.port, connections: 1)
        request = LoadRequest(method: "GET", host: address.description, path: "/metrics")
    }

    /// The numbers of these names, all of one moment.
    func read(_ names: [String]) async throws -> [Int] {
        let lines = try await pool.send(request).text.split(separator: "\n")
        return try names.map { name in
            let line = lines.first { $0.hasPrefix(name) }
            guard let value = line?.split(separator: " ").last.flatMap({ Double($0) }) else {
                throw BenchError("/metrics has no \(name)")
            }
            return Int(value)
        }
    }

    func close() async { await pool.shutdown() }
}
