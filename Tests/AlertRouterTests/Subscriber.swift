import SocketTesting
import ZeroMQ

@testable import AlertRouter

/// A subscriber to everything, in a context of its own.
final class Subscriber {
    let alarms = Inbox<[Frame]>()
    let heartbeats = Inbox<[Frame]>()
    private let sockets: SocketThread

    init(_ keys: AlertKeys) throws {
        sockets = SocketThread(name: "subscriber", context: try Context())
        sockets.start()
        let pair = try CurveKeyPair(secretKey: keys.clientSecretKey ?? "")
        var options = SocketOptions(security: .curveClient(keys: pair, serverKey: keys.serverPublicKey))
        options.subscriptions = [Frame("alerts/".utf8)]
        try sockets.call { [options, alarms, heartbeats] loop in
            let handle = try loop.open(.sub, options: options, connect: keys.alertsPub)
            loop.onReceive(handle) { frames in
                (frames[0] == AlertEndpoint.heartbeatTopic ? heartbeats : alarms).put(frames)
            }
        }
    }

    func stop() { sockets.stop() }
}
