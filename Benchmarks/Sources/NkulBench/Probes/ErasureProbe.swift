import Foundation
import Laboratory
import NIOCore
import ServiceKit

/// Erases phones one after another and tells how long each took, from the request to the last receipt.
struct ErasureProbe {
    /// What was measured of one.
    struct Erasure: CustomStringConvertible {
        let seconds: Double
        /// From the request to each service's receipt, by the services' own clock.
        let receipts: [String: Double]

        var description: String {
            let signed = receipts.sorted { $0.value < $1.value }
                .map { String(format: "%@ %.2f", $0.key, $0.value) }
            return String(format: "%.2f s; signed after: ", seconds) + signed.joined(separator: ", ")
        }
    }

    private struct Standing: Decodable {
        struct Receipt: Decodable {
            let service: String
            let signed_at_ms: Double
        }
        let request_id: String
        let state: String
        let requested_at_ms: Double
        let receipts: [Receipt]
    }

    private let pool: LoadPool
    private let host: HostPort

    init(at host: HostPort) throws {
        self.host = host
        pool = try LoadPool(host: host.host, port: host.port, connections: 1)
    }

    /// Erases everything of a phone and waits until that is completed.
    ///
    /// - Parameter interval: between two questions how it stands, each of which reads two databases of ingest.
    func erase(_ phone: Phone, asking interval: Duration) async throws -> Erasure {
        let start = ContinuousClock.now
        let taken = try await ask("POST", "/v1/me/erasures", phone, Array(#"{"scope":{"all":true}}"#.utf8))
        while true {
            let standing = try await ask("GET", "/v1/me/erasures/\(taken.request_id)", phone)
            if standing.state == "completed" {
                let parts = (ContinuousClock.now - start).components
                return Erasure(
                    seconds: Double(parts.seconds) + Double(parts.attoseconds) / 1e18,
                    receipts: Dictionary(
                        uniqueKeysWithValues: standing.receipts.map {
                            ($0.service, ($0.signed_at_ms - standing.requested_at_ms) / 1_000)
                        }))
            }
            guard ContinuousClock.now - start < .seconds(600) else {
                throw BenchError("an erasure is \(standing.state) after 600 s, signed by \(standing.receipts.count)")
            }
            // In a task of its own: an erasure goes on, whoever is told to end.
            await Task { try? await Task.sleep(for: interval) }.value
        }
    }

    func close() async { await pool.shutdown() }

    private func ask(_ method: String, _ path: String, _ phone: Phone, _ body: [UInt8] = []) async throws -> Standing {
        var headers = [("Authorization", "Bearer \(phone.token)")]
        if !body.isEmpty { headers.append(("Content-Type", "application/json")) }
        let answer = try await pool.send(
            LoadRequest(method: method, host: host.description, path: path, headers: headers, body: body))
        guard answer.status == 200 || answer.status == 202 else {
            throw BenchError("\(method) \(path) was answered \(answer.status) \(answer.text)")
        }
        return try JSONDecoder().decode(Standing.self, from: Data(answer.text.utf8))
    }
}
