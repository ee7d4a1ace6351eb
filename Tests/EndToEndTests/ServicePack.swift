import Foundation
import PipelineTesting

/// The four services as real processes on a home of their own, with ports nobody else uses.
final class ServicePack {
    static let names = ["nkul-ingest", "nkul-alert-router", "nkul-batch-aggregator", "nkul-analytics-exporter"]

    let home: TemporaryHome
    let ingestPort: Int
    let exporterPort: Int
    let alertsPort: Int
    let adminPorts: [String: Int]
    let environment: [String: String]
    private(set) var processes: [String: ServiceProcess] = [:]

    init(_ more: [String: String] = [:]) throws {
        home = try TemporaryHome()
        ingestPort = try UnusedPorts.take()
        exporterPort = try UnusedPorts.take()
        alertsPort = try UnusedPorts.take(2)
        adminPorts = try Dictionary(uniqueKeysWithValues: Self.names.map { ($0, try UnusedPorts.take()) })
        var environment = [
            "NKUL_HOME": home.path("home"), "NKUL_INGEST_HTTP": "127.0.0.1:\(ingestPort)",
            "NKUL_EXPORTER_HTTP": "127.0.0.1:\(exporterPort)", "NKUL_ALERTS_PORT": String(alertsPort),
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

    /// A program of the package on the same home, not one of the four.
    func program(_ name: String, _ arguments: [String], _ more: [String: String] = [:]) -> ServiceProcess {
        let log = home.path("\(name)-\(UInt32.random(in: 0 ... .max)).log")
        return ServiceProcess(name, arguments, environment: environment.merging(more) { _, more in more }, log: log)
    }

    /// Starts the named services and waits until each says that it is ready.
    func start(_ names: [String] = names) throws {
        for name in names { try processes[name]!.start() }
        for name in names where !isReady(name, within: 30) { throw NotReady(name: name, output: output(of: name)) }
    }

    /// True once `/readyz` of a service answers 200.
    func isReady(_ name: String, within seconds: Double) -> Bool {
        becomesTrue(within: seconds) {
            (try? HTTPExchange.send("GET", "/readyz", port: adminPorts[name]!, timeout: 2))?.status == 200
        }
    }

    /// The end of what a service wrote.
    func output(of name: String) -> String {
        String(processes[name]!.output.suffix(2000))
    }
}
