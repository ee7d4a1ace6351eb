import SocketTesting
import ZeroMQ

@testable import AlertRouter

/// One REPLAY of everything by a subscriber in a context of its own.
enum Replay {
    /// The topics of the answer, in order.
    static func of(_ keys: AlertKeys) async throws -> [String] {
        let sockets = SocketThread(name: "replay", context: try Context())
        sockets.start()
        defer { sockets.stop() }
        let (topics, ends) = (Inbox<String>(), Inbox<String>())
        let pair = try CurveKeyPair(secretKey: keys.clientSecretKey ?? "")
        var options = SocketOptions(security: .curveClient(keys: pair, serverKey: keys.serverPublicKey))
        options.immediate = false
        try sockets.call { [options] loop in
            let handle = try loop.open(.dealer, options: options, connect: keys.alertsReplay)
            loop.onReceive(handle) { frames in
                let first = String(decoding: frames[0], as: UTF8.self)
                if frames.count == 3 { topics.put(first) } else { ends.put(first) }
            }
            _ = try loop.send(["REPLAY", "0", "alerts/"].map { Frame($0.utf8) }, on: handle)
        }
        _ = try await ends.wait(for: 1)
        return topics.items
    }
}
