internal import Lanes
internal import Logging
public import Models
public import ServiceKit
internal import Storage
internal import ZeroMQ

/// The steps in which the router's file grows.
private let growthBytes = 4 << 20

/// The composition root of the alert router: opens its database, binds its endpoints, wires effects and lanes.
///
/// - Parameter programmes: whose urgent records raise alarms.
/// - Throws: `ServiceError`, `StorageError`, `ZeroMQError` or `LaneError` naming what cannot be used, and where.
@Sendable
public func buildAlertRouter(
    _ configuration: AlertRouterConfiguration, _ host: ServiceHost, _ programmes: Programmes
) throws -> AlertRouterService {
    let common = configuration.common
    let database = try ServiceDatabase(
        path: host.home.database(of: .alertRouter), migrations: AlertRouterEffects.migrations,
        options: DatabaseOptions(
            checkpointPages: 256, defersCheckpoints: true, longestLogPages: 8_192, growthBytes: growthBytes))
    try host.home.settle(database, also: AlertRouterEffects.takeIn)
    let life = AlertLife(database: database, failureMark: host.home.directory(of: .alertRouter) + "/failed")
    if try life.begin() {
        host.logger.warning("numbers of alert messages leap: those of the last run may not all be known")
    }
    let keys = try KeyStore(directory: host.home.keys)
    let journal = try Journal(
        lane: .alerts, in: database, limits: LaneLimits(maximumBytes: common.journalBytes(of: .alerts)),
        sealer: common.encryptBlocks ? keys.blockSealer(service: ServiceName.alertRouter.rawValue) : nil)
    let sockets = try LaneSockets(
        host, common, name: "router", isPrompt: true, journals: [journal], database: database, clock: host.clock,
        serverNiceness: 0)
    sockets.thread.start()
    do {
        let endpoints = try AlertEndpoints(
            AlertEndpointOpening(
                configuration: configuration, host: host, keys: keys, database: database, journal: journal,
                sockets: sockets.thread))
        return try AlertRouterParts(configuration, host, programmes, database, journal, sockets, endpoints).service(
            life)
    } catch {
        sockets.thread.stop()
        throw error
    }
}
