import Foundation
import Lanes
import Models
import QoE
import ServiceKit
import Storage
import Testing
import SocketTesting
import TemporaryFiles
import Wire
import ZeroMQ

@testable import AlertRouter

@Suite(.timeLimit(.minutes(2)))
struct AlertRouterServiceTests {
    private func configuration(_ home: String, _ more: [String: String] = [:]) throws -> AlertRouterConfiguration {
        let environment = ["NKUL_HOME": home, "NKUL_ALERTS_PORT": "0", "NKUL_ADMIN_ALERT_ROUTER": "127.0.0.1:0"]
        return try AlertRouterConfiguration(Settings(environment: environment.merging(more) { $1 }))
    }

    private func host(_ configuration: AlertRouterConfiguration) throws -> ServiceHost {
        let home = configuration.common.home
        try home.prepare(for: .alertRouter, timeZone: "Africa/Douala")
        return ServiceHost(.alertRouter, home: home)
    }

    @Test
    func `a record on the real-time lane reaches a subscriber through the running service`() async throws {
        let directory = try TemporaryDirectory()
        let configuration = try configuration(directory.path)
        let host = try host(configuration)
        let ingest = try LaneWriter(configuration)
        defer { ingest.stop() }
        let service = try buildAlertRouter(configuration, host, .raisingAll)
        let running = Task { try await service.run() }
        let keys = try AlertKeys(
            json: Array(Data(contentsOf: URL(fileURLWithPath: directory.path + "/keys/regulator.alerts.json"))))
        let subscriber = try Subscriber(keys)
        defer { subscriber.stop() }
        _ = try await subscriber.heartbeats.wait(for: 1)
        try ingest.append([.drop()])
        #expect(try await subscriber.alarms.wait(for: 1)[0][0] == Frame(Urgent.key.topic(.major).utf8))
        try ingest.append([.emergency(device: 2)])
        #expect(try await subscriber.alarms.wait(for: 3)[2][0] == Frame(Urgent.key.topic(.critical).utf8))
        #expect(try await eventually(within: 60) { host.readiness.isReady })
        host.stop.stop()
        try await running.value
    }

    @Test
    func `a port in use is an error that names the settings and the address, and the home can be used again`() throws {
        let directory = try TemporaryDirectory()
        let sockets = SocketThread(name: "other", context: try Context())
        sockets.start()
        defer { sockets.stop() }
        let taken = try sockets.call { loop in
            try loop.open(.pub, options: SocketOptions(security: .clearText), bind: "tcp://127.0.0.1:*").endpoint
        }
        let port = String(taken.split(separator: ":").last!)
        let blocked = try configuration(directory.path, ["NKUL_ALERTS_PORT": port])
        let error = #expect(throws: ServiceError.self) { _ = try buildAlertRouter(blocked, host(blocked), .raisingAll) }
        #expect(error?.code == .address)
        #expect(error?.message.contains("NKUL_ALERTS_PORT") == true && error?.message.contains(taken) == true)
        let free = try configuration(directory.path)
        try buildAlertRouter(free, host(free), .raisingAll).threads.close()
    }

    @Test
    func `the keys stay the same from start to start and are readable by their owner only`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.path + "/keys/regulator.alerts.json"
        func start(_ more: [String: String] = [:]) throws -> AlertKeys {
            let configuration = try configuration(directory.path, more)
            try buildAlertRouter(configuration, host(configuration), .raisingAll).threads.close()
            return try AlertKeys(json: Array(Data(contentsOf: URL(fileURLWithPath: file))))
        }
        let first = try start()
        let second = try start(["NKUL_ALERTS_INSECURE": "1"])
        #expect(second.serverSecretKey == first.serverSecretKey && second.clientPublicKey == first.clientPublicKey)
        #expect(first.curve && !second.curve)
        #expect(first.alertsPub != first.alertsReplay)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test(arguments: ["0.0.0.0", "*", "::"])
    func `every address is none that can be advertised, and a name must be given`(host: String) throws {
        let error = #expect(throws: ServiceError.self) { try configuration("/nowhere", ["NKUL_ALERTS_HOST": host]) }
        #expect(error?.code == .usage && error?.message.contains("NKUL_ALERTS_ADVERTISE") == true)
        for wrong in [host, "alerts.example.net:5556", "tcp://alerts", "a b"] {
            #expect(throws: ServiceError.self) {
                try configuration("/nowhere", ["NKUL_ALERTS_HOST": host, "NKUL_ALERTS_ADVERTISE": wrong])
            }
        }
        for name in ["alerts.example.net", "192.0.2.7", "2001:db8::7"] {
            let settings = ["NKUL_ALERTS_HOST": host, "NKUL_ALERTS_ADVERTISE": name]
            #expect(try configuration("/nowhere", settings).advertised == name)
        }
    }

    @Test
    func `an advertised address keeps the ports`() {
        let bound = AlertAddress(publish: "tcp://0.0.0.0:5556", replay: "tcp://0.0.0.0:5557")
        #expect(
            bound.at("2001:db8::7")
                == AlertAddress(publish: "tcp://[2001:db8::7]:5556", replay: "tcp://[2001:db8::7]:5557"))
        #expect(bound.reachable == AlertAddress(publish: "tcp://127.0.0.1:5556", replay: "tcp://127.0.0.1:5557"))
        let six = AlertAddress(publish: "tcp://[::]:5556", replay: "tcp://[::]:5557")
        #expect(six.reachable == AlertAddress(publish: "tcp://[::1]:5556", replay: "tcp://[::1]:5557"))
    }

    @Test
    func `clear text on an address that others reach is refused`() {
        #expect(throws: ServiceError.self) {
            try configuration("/nowhere", ["NKUL_ALERTS_INSECURE": "1", "NKUL_ALERTS_HOST": "0.0.0.0"])
        }
    }
}
