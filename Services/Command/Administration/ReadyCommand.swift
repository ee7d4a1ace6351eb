package import ArgumentParser
import CommandSupport
import ServiceKit

/// `nkul ready`: asks services whether they are ready; the health check of containers.
package struct ReadyCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "ready", abstract: "Asks services of this machine whether they are ready; exit 0 only if so.",
        discussion: """
            For health checks and scripts. "nkul ready ingest" asks that service's /readyz; without a name, every service that \
            runs in this home is asked, and one must.
            """)

    @OptionGroup var options: CommandSettings

    @Argument(help: "The services: ingest, alert-router … (default: those that run in this home).")
    var services: [String] = []

    package init() {}

    package func run() async throws {
        let common = try await options.common()
        let asked = try services.isEmpty ? Self.running(in: common.home) : services.map(Self.service)
        for service in asked { try Self.ask(service, common) }
    }

    private static func running(in home: Home) throws -> [ServiceName] {
        let running = ServiceName.allCases.filter { HomeLock.isHeld(home, of: $0) }
        guard !running.isEmpty else { throw ServiceError(.failed, "no service runs in \(home.path)") }
        return running
    }

    /// `ingest` and `nkul-ingest` mean the same.
    private static func service(_ text: String) throws -> ServiceName {
        let name = text.hasPrefix("nkul-") ? String(text.dropFirst("nkul-".count)) : text
        guard let service = ServiceName(rawValue: name) else {
            let all = ServiceName.allCases.map(\.rawValue).joined(separator: ", ")
            throw ServiceError(.usage, "\"\(text)\" is not a service; expected some of \(all)")
        }
        return service
    }

    /// At the address that is really bound, or else the one that is set.
    private static func ask(_ service: ServiceName, _ common: CommonConfiguration) throws {
        let bound = ServiceRecord.ofRunning(service, in: common.home)?.listeners["admin"].flatMap { HostPort($0) }
        let address = bound ?? common.admin[service]!
        guard let answer = AdminProbe(address: address).get("/readyz") else {
            throw ServiceError(.failed, "\(service.executable) does not answer on \(address)")
        }
        guard answer.status == 200 else {
            throw ServiceError(
                .failed, "\(service.executable) is not ready: \(DoctorServices.problems(in: answer.body))")
        }
        print("\(service.executable) is ready\(DoctorServices.notes(in: answer.body))")
    }
}
