public import Hummingbird
import HummingbirdCore
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
    private let certificates: TLSCertificates?
    private let host: ServiceHost

    /// - Parameters:
    ///   - name: how others find it: `device_api`, `mno_api`, `admin`.
    ///   - address: port 0 takes any free one.
    ///   - key: the setting that the address comes from, named if it is in use.
    ///   - certificates: for TLS; nil: clear text.
    public init(
        _ name: String, at address: HostPort, key: String, responder: Responder, certificates: TLSCertificates? = nil,
        host: ServiceHost
    ) {
        self.name = name
        self.address = address
        self.key = key
        self.responder = responder
        self.certificates = certificates
        self.host = host
        host.readiness.declare(name, problem: "\(key): \(address) is not bound yet")
    }

    /// Serves until the program is asked to stop; requests that are under way are answered.
    ///
    /// - Throws: ``ServiceError`` of code `address` if it cannot be bound.
    public func run() async throws {
        async let _: Void? = certificates?.watch()
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
            responder: responder, server: builder,
            configuration: .init(address: .hostname(address.host, port: address.port), serverName: "nkul"),
            onServerRunning: { channel in
                host.listens(name, at: address, port: channel.localAddress?.port, isSecure: certificates != nil)
            },
            logger: quiet)
    }

    /// Connections that are idle for a minute are closed.
    private var builder: HTTPServerBuilder {
        HTTPServerBuilder { [certificates] responder in
            let clear = HTTP1Channel(responder: responder, configuration: .init(idleTimeout: .seconds(60)))
            guard let certificates else { return clear }
            return SecureChannel(base: clear, certificates: certificates)
        }
    }
}
