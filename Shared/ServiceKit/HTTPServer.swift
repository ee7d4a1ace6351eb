public import Hummingbird
public import HummingbirdCore
import Logging
import NIOCore
public import ServiceLifecycle

/// An HTTP server as all services have it: bound to an address of the settings, known to `run/<service>.json`,
/// `/healthz` and `/readyz`, stopped with the service.
public struct HTTPServer<Responder: HTTPResponder>: Service
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    private let name: String
    private let address: HostPort
    private let key: String
    private let responder: Responder
    private let server: HTTPServerBuilder
    private let host: ServiceHost

    /// - Parameters:
    ///   - name: how others find it: `device_api`, `mno_api`, `admin`.
    ///   - address: port 0 takes any free one.
    ///   - key: the setting that the address comes from, named if it is in use.
    ///   - server: limits of connections; the default closes those that are idle for a minute.
    public init(
        _ name: String, at address: HostPort, key: String, responder: Responder,
        server: HTTPServerBuilder = .http1(configuration: .init(idleTimeout: .seconds(60))), host: ServiceHost
    ) {
        self.name = name
        self.address = address
        self.key = key
        self.responder = responder
        self.server = server
        self.host = host
        host.readiness.declare(name, problem: "\(key): \(address) is not bound yet")
    }

    /// Serves until the program is asked to stop; requests that are under way are answered.
    ///
    /// - Throws: ``ServiceError`` of code `address` if it cannot be bound.
    public func run() async throws {
        do {
            try await application().run()
        } catch let error as IOError {
            throw ServiceError(.address, "\(key): cannot listen on \(address)", errno: error.errnoCode)
        } catch let error as SocketAddressError {
            throw ServiceError(.address, "\(key): cannot listen on \(address): \(error)")
        }
    }

    private func application() -> Application<Responder> {
        var quiet = host.logger
        quiet.logLevel = max(.warning, quiet.logLevel)
        return Application(
            responder: responder, server: server,
            configuration: .init(address: .hostname(address.host, port: address.port), serverName: "nkul"),
            onServerRunning: { channel in host.listens(name, at: address, port: channel.localAddress?.port) },
            logger: quiet)
    }
}
