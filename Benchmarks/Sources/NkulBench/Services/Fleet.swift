import Foundation
import Laboratory
import NIOCore
import ServiceKit

/// The six services as processes on a home of their own.
final class Fleet {
    let home: Home
    private var children: [(service: ServiceName, child: ChildProcess)] = []
    private var records: [ServiceName: ServiceRecord] = [:]

    /// Makes an empty directory for a home.
    static func makeHome(in directory: String) throws -> Home {
        var template = Array("\(directory)/nkul-bench-XXXXXX".utf8CString)
        guard let path = mkdtemp(&template).map({ String(cString: $0) }) else {
            throw BenchError("cannot make a home in \(directory): errno \(errno)")
        }
        return Home(path: path)
    }

    /// - Parameter home: that of a fleet that was stopped, or a new one.
    init(bin: String, home: Home) throws {
        self.home = home
        let path = home.path
        var environment = [
            "NKUL_HOME": path, "NKUL_INGEST_HTTP": "127.0.0.1:0", "NKUL_EXPORTER_HTTP": "127.0.0.1:0",
            "NKUL_ALERTS_PORT": "0", "NKUL_LOG_LEVEL": "warning",
        ]
        for service in ServiceName.built { environment["NKUL_ADMIN_\(service.keyPart)"] = "127.0.0.1:0" }
        for service in ServiceName.built {
            let program = "\(bin)/\(service.executable)"
            guard FileManager.default.isExecutableFile(atPath: program) else {
                throw BenchError("\(program) is not there")
            }
            let child = try ChildProcess(
                program, ["--until-stdin-closes"], environment: environment, log: "\(path)/\(service.rawValue).log")
            children.append((service, child))
        }
    }

    /// Returns when all are ready.
    func waitUntilReady() async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        for (service, child) in children {
            while true {
                guard child.isRunning else { throw BenchError("\(service.executable) ended: \(log(service))") }
                guard ContinuousClock.now < deadline else {
                    throw BenchError("\(service.executable) is not ready after 60 s")
                }
                if let record = ServiceRecord.ofRunning(service, in: home), try await isReady(record) {
                    records[service] = record
                    break
                }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// Where a service listens.
    func address(_ listener: String, of service: ServiceName) throws -> HostPort {
        guard let address = records[service]?.listeners[listener].flatMap({ HostPort($0) }) else {
            throw BenchError("\(service.executable) has no listener \(listener)")
        }
        return address
    }

    func pid(of service: ServiceName) -> Int32 { children.first { $0.service == service }?.child.pid ?? 0 }

    /// CPU time of all, by service, in microseconds.
    func cpu() throws -> [ServiceName: Double] {
        try Dictionary(
            uniqueKeysWithValues: children.map { ($0.service, try ProcessUsage.cpuMicroseconds($0.child.pid)) })
    }

    /// CPU time of all since they had used so much.
    func cpu(since before: [ServiceName: Double]) throws -> [ServiceName: Double] {
        try cpu().merging(before) { $0 - $1 }
    }

    /// The same by report, by the services' names.
    func cpu(since before: [ServiceName: Double], reports: Int) throws -> [String: Double] {
        Dictionary(uniqueKeysWithValues: try cpu(since: before).map { ($0.rawValue, $1 / Double(reports)) })
    }

    func residentBytes() throws -> [String: Int] {
        try Dictionary(
            uniqueKeysWithValues: children.map {
                ($0.service.rawValue, try ProcessUsage.peakResidentBytes($0.child.pid))
            })
    }

    /// Stops the services; does nothing if they are stopped.
    func stop() {
        for (_, child) in children.reversed() { child.stop() }
        children.removeAll()
    }

    private func isReady(_ record: ServiceRecord) async throws -> Bool {
        guard let address = record.listeners["admin"].flatMap({ HostPort($0) }) else { return false }
        let pool = try LoadPool(host: address.host, port: address.port, connections: 1)
        let answer = try? await pool.send(LoadRequest(method: "GET", host: address.description, path: "/readyz"))
        await pool.shutdown()
        return answer?.status == 200
    }

    private func log(_ service: ServiceName) -> String {
        let text = (try? String(contentsOfFile: "\(home.path)/\(service.rawValue).log", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").suffix(3).joined(separator: " / ")
    }
}
