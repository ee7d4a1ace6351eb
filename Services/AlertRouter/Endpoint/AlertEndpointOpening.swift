internal import Lanes
internal import Logging
internal import ServiceKit
internal import Storage
internal import ZeroMQ

/// Opens the regulator's endpoint: its keys, its sockets, and the file that tells subscribers both.
struct AlertEndpointOpening {
    private let tenant = AlertTenant.regulator
    private let configuration: AlertRouterConfiguration
    private let host: ServiceHost
    private let store: KeyStore
    private let database: ServiceDatabase
    private let journal: Journal
    private let sockets: SocketThread

    init(
        _ configuration: AlertRouterConfiguration, _ host: ServiceHost, _ store: KeyStore, _ database: ServiceDatabase,
        _ journal: Journal, _ sockets: SocketThread
    ) {
        self.configuration = configuration
        self.host = host
        self.store = store
        self.database = database
        self.journal = journal
        self.sockets = sockets
    }

    /// - Throws: `ServiceError` of code `address` that names NKUL_ALERTS_PORT and the address if it cannot be bound.
    func open() throws -> SocketConfined<AlertEndpoint> {
        var keys = try AlertKeys.load(tenant, from: store)
        keys.curve = !configuration.isInsecure
        let (endpoint, bound) = try bind(keys)
        keys.alertsPub = bound.reachable.publish
        keys.alertsReplay = bound.reachable.replay
        try keys.save(to: store)
        for (name, address) in [("alerts_pub", bound.publish), ("alerts_replay", bound.replay)] {
            try host.listeners.report(name, address)
            host.logger.info("listening", metadata: ["listener": "\(name)", "address": "\(address)"])
        }
        if configuration.isInsecure {
            host.logger.warning("alert endpoints speak clear text (NKUL_ALERTS_INSECURE)")
        }
        return endpoint
    }

    private func bind(_ keys: AlertKeys) throws -> (SocketConfined<AlertEndpoint>, AlertAddress) {
        let address = AlertAddress(host: configuration.host, port: configuration.port, tenant: tenant)
        let reader = ReplayReader(database: try database.reader(), tenant: tenant)
        let lastSeq = try database.read { try AlertMessageStore(tenant: tenant).lastSeq($0) }
        let stop = host.stop
        do {
            return try sockets.call { [tenant, generation = journal.generation, clock = host.clock, sockets] loop in
                if keys.curve { try ZAPHandler(loop: loop).admit(keys.clientPublicKey, domain: tenant.name) }
                let endpoint = try AlertEndpoint(
                    tenant, at: address, security: keys.serverSecurity, lastSeq: lastSeq, generation: generation,
                    reader: reader, clock: clock, loop: loop, thread: sockets, onFailure: { stop.fail($0) })
                return (SocketConfined(endpoint, of: loop), endpoint.bound)
            }
        } catch let error as ZeroMQError {
            throw ServiceError(.address, "NKUL_ALERTS_HOST, NKUL_ALERTS_PORT: \(error)")
        }
    }
}
