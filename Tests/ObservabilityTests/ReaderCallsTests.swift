import Lanes
import Models
import PipelineTesting
import Testing

@testable import ServiceKit
import SocketTesting

/// `nkul admin reader` on the lanes of services that run.
@Suite(.timeLimit(.minutes(2))) struct ReaderCallsTests {
    private static let writers: [LaneName: ServiceName] = [
        .realtime: .ingest, .batch: .ingest, .requests: .ingest, .alerts: .alertRouter, .rollups: .batchAggregator,
        .rewards: .rewardDispatcher, .privacy: .privacyWorker, .operations: .analyticsExporter, .deliveries: .notifier,
    ]

    @Test func `the writer of every lane lists its readers and detaches one`() async throws {
        let house = try House(ServiceName.allCases)
        for lane in LaneName.allCases {
            let writer = try #require(Self.writers[lane])
            let host = try #require(house.hosts[writer])
            let wish: JSONValue = ["lane": .string(lane.rawValue), "reader": "nobody"]
            let refusal = await #expect(throws: ReaderRefusal.self) { try await call("reader.detach", wish, host) }
            #expect(refusal?.description.contains("nobody") == true, "\(lane)")
            let readers = try await readers(of: lane, host)
            #expect(!readers.isEmpty || !Self.isRead(lane), "\(lane)")
            for reader in readers {
                let detached = try await call(
                    "reader.detach", ["lane": .string(lane.rawValue), "reader": .string(reader), "force": true], host)
                #expect(detached["reader"]?.string == reader && detached["lane"]?.string == lane.rawValue)
            }
        }
        try await house.stop()
    }

    /// Readers that have told of themselves.
    private func readers(of lane: LaneName, _ host: ServiceHost) async throws -> [String] {
        var readers: [String] = []
        _ = try await eventually {
            readers = try await call("reader.list", [:], host).array!
                .filter { $0["lane"]?.string == lane.rawValue }.map { $0["reader"]!.string! }
            return !readers.isEmpty || !Self.isRead(lane)
        }
        return readers
    }

    /// Nobody reads `deliveries` yet.
    private static func isRead(_ lane: LaneName) -> Bool { ![.privacy, .deliveries].contains(lane) }

    private func call(_ name: String, _ arguments: JSONValue, _ host: ServiceHost) async throws -> JSONValue {
        let call = try #require(host.control.all.last { $0.name == name })
        return try await call.answer(arguments)
    }
}
