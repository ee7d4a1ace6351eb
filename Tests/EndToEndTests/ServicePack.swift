import Foundation
import PipelineTesting
import ServiceKit
import TemporaryFiles

/// All services as real processes on a home of their own, with ports nobody else uses.
final class ServicePack {
    /// The programs, in the order in which `nkul up` starts them.
    static let names = ServiceName.built.map(\.executable)
    /// Tenants besides the built-in regulator for whose alert endpoints there are ports.
    static let mostTenants = 4

    let home: TemporaryDirectory
    let ingestPort: Int
    let exporterPort: Int
    let adminPorts: [String: Int]
    let environment: [String: String]
    private(set) var processes: [String: ServiceProcess] = [:]

    /// - Parameter more: settings on top of homes and ports. Rewards are without a daily maximum, and phones
    ///   without limits, unless it has them.
    init(_ more: [String: String] = [:]) throws {
        home = try TemporaryDirectory()
        ingestPort = try UnusedPorts.take()
        exporterPort = try UnusedPorts.take()
        let alertsPort = try UnusedPorts.take(2 * (1 + Self.mostTenants))
        adminPorts = try Dictionary(uniqueKeysWithValues: Self.names.map { ($0, try UnusedPorts.take()) })
        var environment = [
            "NKUL_HOME": home.path("home"), "NKUL_INGEST_HTTP": "127.0.0.1:\(ingestPort)",
            "NKUL_EXPORTER_HTTP": "127.0.0.1:\(exporterPort)", "NKUL_ALERTS_PORT": String(alertsPort),
            "NKUL_REWARD_DISPATCHER_DAILY_MAXIMUM": "0",
            // Days are sent in seconds.
            "NKUL_INGEST_URGENT_PER_MINUTE": "0", "NKUL_INGEST_DEVICE_ROWS_PER_MINUTE": "0",
            "NKUL_INGEST_DEVICE_CALLS_PER_MINUTE": "0",
        ]
        for (name, port) in adminPorts { environment[Self.adminKey(of: name)] = "127.0.0.1:\(port)" }
        self.environment = environment.merging(more) { _, more in more }
        for name in Self.names {
            processes[name] = ServiceProcess(name, environment: self.environment, log: home.path("\(name).log"))
        }
    }

    /// `NKUL_ADMIN_…` of a program.
    static func adminKey(of name: String) -> String {
        "NKUL_ADMIN_" + name.dropFirst("nkul-".count).uppercased().replacingOccurrences(of: "-", with: "_")
    }

    /// A program of the package on the same home, not one of the pack's own.
    func program(_ name: String, _ arguments: [String], _ more: [String: String] = [:]) -> ServiceProcess {
        let log = home.path("\(name)-\(UInt32.random(in: 0 ... .max)).log")
        return ServiceProcess(name, arguments, environment: environment.merging(more) { _, more in more }, log: log)
    }

    /// What a program of the package printed; it must end well.
    func answer(_ name: String, _ arguments: [String]) throws -> String {
        let process = program(name, arguments)
        try process.start()
        let code = process.exitCode(within: 60)
        guard code == 0 else { throw Refused(status: Int(code ?? -1), text: process.output) }
        return process.output
    }

    /// Starts the named services and waits until each says that it is ready.
    func start(_ names: [String] = names) throws {
        for name in names { try processes[name]!.start() }
        try expectReady(names, within: 120)
    }

    /// Ends all services at once.
    func kill() { for process in processes.values { process.kill() } }

    /// Waits until the named services say that they are ready.
    ///
    /// - Throws: `NotReady` for one that does not within `seconds` of the call.
    func expectReady(_ names: [String] = names, within seconds: Double) throws {
        let deadline = Date().addingTimeInterval(seconds)
        for name in names where !isReady(name, within: max(deadline.timeIntervalSinceNow, 0)) {
            throw NotReady(name: name, output: output(of: name))
        }
    }

    /// True once `/readyz` of a service answers 200.
    func isReady(_ name: String, within seconds: Double) -> Bool {
        says("/readyz", name, within: seconds)
    }

    /// True once a service answers at all, ready or not.
    func isAlive(_ name: String, within seconds: Double) -> Bool {
        says("/healthz", name, within: seconds)
    }

    /// The end of what a service wrote.
    func output(of name: String) -> String {
        String(processes[name]!.output.suffix(2000))
    }

    private func says(_ path: String, _ name: String, within seconds: Double) -> Bool {
        becomesTrue(within: seconds) {
            (try? HTTPExchange.send("GET", path, port: adminPorts[name]!, timeout: 2))?.status == 200
        }
    }
}

/// A service that did not become ready, with the end of its log.
struct NotReady: Error, CustomStringConvertible {
    let name: String
    let output: String

    var description: String { "\(name) did not become ready; its log ends:\n\(output)" }
}

/// An answer that no retry will change.
struct Refused: Error, CustomStringConvertible {
    let status: Int
    let text: String

    var description: String { "answered \(status): \(text)" }
}
