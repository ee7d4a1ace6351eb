import Foundation
import Lanes
import Logging
import Models
import ServiceKit
import Storage
import TemporaryFiles
import Testing
import ZeroMQ

@testable import PrivacyWorker

@Suite(.timeLimit(.minutes(2)))
struct PrivacyWorkerServiceTests {
    private func configuration(_ home: String) throws -> PrivacyWorkerConfiguration {
        try PrivacyWorkerConfiguration(
            Settings(environment: ["NKUL_HOME": home, "NKUL_ADMIN_PRIVACY_WORKER": "127.0.0.1:0"]))
    }

    @Test func `a consent on the requests lane reaches ledger and log through the running service`() async throws {
        let directory = try TemporaryDirectory()
        let configuration = try configuration(directory.path + "/home")
        let home = configuration.common.home
        try home.prepare(for: .privacyWorker, timeZone: "Africa/Douala")
        let writer = try ConsentWriter(path: directory.path + "/requests.sqlite")
        let sockets = SocketThread(name: "writer", context: try Context())
        sockets.start()
        let endpoint = LaneEndpoint(address: configuration.common.endpoint(of: .requests))
        let server = try LaneServer(
            journals: [writer.journal], endpoints: [.requests: endpoint], database: writer.database, sockets: sockets,
            clock: { 1 }, log: Logger(label: "test"))
        try server.start()
        defer {
            sockets.stop()
            server.stop()
        }
        let host = ServiceHost(.privacyWorker, home: home)
        let service = try buildPrivacyWorker(configuration, host)
        let running = Task { try await service.run() }
        server.publish([(lane: .requests, blocks: try writer.append([.sample(7, 1, ["measurement"])]))])
        let path = home.database(of: .privacyWorker), store = try KeyStore(directory: home.keys)
        let sealer = try store.blockSealer(service: "privacy-worker")
        func outcome() throws -> AuditCheck.Outcome {
            try AuditCheck.run(ReadOnlyDatabase(path: path), keys: AuditKeys(store), sealer: sealer)
        }
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline, try outcome().entries < 2 { await Task.yield() }
        #expect(try outcome() == .init(entries: 2, fault: nil))
        while ContinuousClock.now < deadline, !host.readiness.isReady { await Task.yield() }
        #expect(host.readiness.isReady)
        host.stop.stop()
        try await running.value
        let action = try #require(PrivacyWorkerActions.all.first { $0.flag == "--verify" })
        #expect(action.claim == .none)
    }
}
