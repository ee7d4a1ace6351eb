import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// Runs a service and its admin endpoint until SIGTERM or SIGINT, and sees to it that the end comes within 10 seconds.
struct ServiceRunner: Sendable {
    /// The usual one.
    static let limit = Duration.seconds(9)

    let host: ServiceHost
    /// After it the tasks of the service are cancelled.
    var graceful = Duration.seconds(7)
    /// After it the process ends as it is: what was acknowledged is committed.
    var limit = Self.limit

    /// Returns when all have ended: as asked, or because one of them had nothing more to do.
    ///
    /// - Throws: what one of them threw; the others are then cancelled.
    func run(_ services: [any Service]) async throws {
        let watchdog = Watchdog(limit: limit, logger: host.logger)
        defer { watchdog.dismiss() }
        try await ServiceGroup(configuration: configuration(services + [watchdog])).run()
        host.logger.info("stopped")
    }

    private func configuration(_ services: [any Service]) -> ServiceGroupConfiguration {
        var quiet = host.logger
        quiet.logLevel = .critical
        var configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup) },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet)
        configuration.maximumGracefulShutdownDuration = graceful
        return configuration
    }
}
