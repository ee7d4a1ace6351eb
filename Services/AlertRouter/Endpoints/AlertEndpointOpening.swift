internal import Lanes
internal import Logging
internal import Models
internal import ServiceKit
internal import Storage
internal import ZeroMQ

/// Opens a tenant's endpoint: its keys, its sockets, and the file that keeps both.
struct AlertEndpointOpening {
    /// An endpoint that is bound.
    struct Opened {
        let endpoint: SocketConfined<AlertEndpoint>
        /// The key that its ZAP domain admits; nil without CURVE.
        let admitted: String?
        let announcement: EndpointDocument
    }

    let configuration: AlertRouterConfiguration
    let host: ServiceHost
    let keys: KeyStore
    let database: ServiceDatabase
    let journal: Journal
    let sockets: SocketThread

    /// Binds, lets the tenant's subscribers in, and saves the file; nothing of it stays if any of it fails.
    ///
    /// - Throws: `ServiceError` of code `address` that names NKUL_ALERTS_PORT and the address if it cannot be bound,
    ///   `StorageError` or `DecodingError` if the key file cannot be used.
    func open(_ tenant: AlertTenant) throws -> Opened {
        var file = try AlertKeys.load(tenant, from: keys)
        file.curve = !configuration.isInsecure
        let (endpoint, bound) = try bind(tenant, file)
        file.alertsPub = bound.reachable.publish
        file.alertsReplay = bound.reachable.replay
        let opened = Opened(
            endpoint: endpoint, admitted: file.curve ? file.clientPublicKey : nil,
            announcement: file.announcement(configuration.advertised.map(bound.at) ?? bound))
        do {
            try file.save(to: keys)
            try report(bound, of: tenant)
        } catch {
            close(opened)
            throw error
        }
        return opened
    }

    /// Ends an endpoint: nobody is let in any more, and its connections end. Does nothing once the sockets' thread has.
    func close(_ opened: Opened) {
        try? sockets.call { loop in
            opened.endpoint.on(loop).close()
            if let key = opened.admitted { try loop.zapHandler().revoke(key, domain: opened.announcement.tenant) }
        }
    }

    private func report(_ bound: AlertAddress, of tenant: AlertTenant) throws {
        for (name, address) in [("alerts_pub", bound.publish), ("alerts_replay", bound.replay)] {
            if tenant == .regulator { try host.listeners.report(name, address) }
            host.logger.info(
                "listening", metadata: ["listener": "\(name)", "tenant": "\(tenant.name)", "address": "\(address)"])
        }
    }

    /// Binding and letting in are one turn of the loop, so a subscriber that comes early is not refused.
    private func bind(
        _ tenant: AlertTenant, _ file: AlertKeys
    ) throws -> (SocketConfined<AlertEndpoint>, AlertAddress) {
        try AlertAddress.check(port: configuration.port, tenant: tenant)
        let address = AlertAddress(host: configuration.host, port: configuration.port, tenant: tenant)
        let reader = ReplayReader(database: try database.reader(), tenant: tenant)
        let lastSeq = try database.read { try AlertMessageStore(tenant: tenant).lastSeq($0) }
        let stop = host.stop
        do {
            return try sockets.call { [generation = journal.generation, clock = host.clock, sockets] loop in
                let handshakes = file.curve ? try loop.zapHandler() : nil
                let endpoint = try AlertEndpoint(
                    tenant, at: address, security: file.serverSecurity, lastSeq: lastSeq, generation: generation,
                    reader: reader, clock: clock, loop: loop, thread: sockets, onFailure: { stop.fail($0) })
                do {
                    try handshakes?.admit(file.clientPublicKey, domain: tenant.name)
                } catch {
                    endpoint.close()
                    throw error
                }
                return (SocketConfined(endpoint, of: loop), endpoint.bound)
            }
        } catch let error as ZeroMQError {
            throw ServiceError(.address, "NKUL_ALERTS_HOST, NKUL_ALERTS_PORT: \(error)")
        }
    }
}
