import Logging
import Models

extension ServiceHost {
    /// Says that a listener is bound: to others in `run/<service>.json`, to `/readyz` and to the log.
    ///
    /// - Parameters:
    ///   - address: as the settings have it.
    ///   - port: the port that was given for port 0.
    ///   - isSecure: true if TLS is spoken there.
    public func listens(_ name: String, at address: HostPort, port: Int?, isSecure: Bool = false) {
        let bound = HostPort(host: address.host, port: port ?? address.port)
        do {
            try listeners.report(name, bound.description)
        } catch {
            return stop.fail(error)
        }
        readiness.hold(name)
        logger.info("listening", metadata: ["listener": "\(name)", "address": "\(bound)"])
        if !bound.isLoopback, !isSecure {
            logger.warning(
                "clear text that other machines may reach (NKUL_HTTP_INSECURE)",
                metadata: ["listener": "\(name)", "address": "\(bound)"])
        }
    }
}
