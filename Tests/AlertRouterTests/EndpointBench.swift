import Lanes
import Models
import ServiceKit
import Storage
import SocketTesting
import TemporaryFiles
import ZeroMQ

@testable import AlertRouter

/// The regulator's endpoint on free ports, with subscribers beside it, over the store of a `RouterBench`.
final class EndpointBench {
    let thread: SocketThread
    private(set) var keys: AlertKeys
    let directory: TemporaryDirectory
    let address: AlertAddress
    private let endpoint: SocketConfined<AlertEndpoint>

    init(_ router: RouterBench, heartbeat: Duration = .milliseconds(20), now: UnixMilliseconds = 1_750_000_000_000)
        throws
    {
        directory = try TemporaryDirectory()
        keys = try AlertKeys.load(.regulator, from: KeyStore(directory: directory.path + "/keys"))
        thread = SocketThread(name: "test", context: try Context())
        thread.start()
        let lastSeq = try router.lastSeq()
        let reader = ReplayReader(database: try router.database.reader(), tenant: .regulator)
        (endpoint, address) = try thread.call { [keys, thread] loop in
            try ZAPHandler(loop: loop).admit(keys.clientPublicKey, domain: "regulator")
            let endpoint = try AlertEndpoint(
                .regulator, at: AlertAddress(host: "127.0.0.1", port: 0, tenant: .regulator),
                security: keys.serverSecurity, lastSeq: lastSeq, generation: 5, heartbeat: heartbeat, reader: reader,
                clock: WallClock { now }, loop: loop, thread: thread, onFailure: { _ in })
            return (SocketConfined(endpoint, of: loop), endpoint.bound)
        }
        (keys.alertsPub, keys.alertsReplay) = (address.publish, address.replay)
        try keys.save(to: KeyStore(directory: directory.path + "/keys"))
    }

    /// The file that subscribers read.
    var keyFile: String { directory.path + "/keys/regulator.alerts.json" }

    deinit { thread.stop() }

    func publish(_ messages: [AlertMessage]) {
        thread.enqueue { [endpoint] loop in endpoint.on(loop).publish(messages) }
    }

    func options(_ pair: CurveKeyPair? = nil) throws -> SocketOptions {
        let client = try pair ?? CurveKeyPair(secretKey: keys.clientSecretKey ?? "")
        var options = SocketOptions(security: .curveClient(keys: client, serverKey: keys.serverPublicKey))
        options.immediate = false
        return options
    }

    /// Subscribes; heartbeats go to one inbox, alarms to the other.
    func subscribe(
        _ prefix: String, alarms: Inbox<[Frame]>, heartbeats: Inbox<[Frame]>, events: Inbox<ConnectionEvent>? = nil,
        pair: CurveKeyPair? = nil
    ) throws {
        var options = try options(pair)
        options.subscriptions = [Frame(prefix.utf8), AlertEndpoint.heartbeatTopic]
        try thread.call { [address, options] loop in
            let handle = try loop.open(.sub, options: options, connect: address.publish)
            loop.onReceive(handle) { frames in
                (frames[0] == AlertEndpoint.heartbeatTopic ? heartbeats : alarms).put(frames)
            }
            if let events { try loop.onConnection(handle) { events.put($0) } }
        }
    }

    /// Opens a DEALER to the replay socket; its answers go to the inbox.
    func dial(into inbox: Inbox<[Frame]>) throws -> SocketHandle {
        let options = try options()
        return try thread.call { [address] loop in
            let handle = try loop.open(.dealer, options: options, connect: address.replay)
            loop.onReceive(handle) { inbox.put($0) }
            return handle
        }
    }

    func ask(_ request: [String], on handle: SocketHandle) throws {
        try thread.call { loop in _ = try loop.send(request.map { Frame($0.utf8) }, on: handle) }
    }
}
