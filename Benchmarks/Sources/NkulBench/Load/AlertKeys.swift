import Foundation
import ServiceKit
import ZeroMQ

/// What a subscriber of the regulator needs (`keys/regulator.alerts.json`).
struct AlertKeys: Decodable {
    let server_public_key: String
    let client_secret_key: String
    let alerts_pub: String

    init(home: Home) throws {
        self = try JSONDecoder().decode(
            Self.self, from: Data(SmallFile.read(home.keys + "/regulator.alerts.json").utf8))
    }

    func options(subscribing prefix: String) throws -> SocketOptions {
        var options = SocketOptions(
            security: .curveClient(keys: try CurveKeyPair(secretKey: client_secret_key), serverKey: server_public_key))
        options.subscriptions = [Array(prefix.utf8)]
        options.receiveHighWater = 1_000_000
        return options
    }
}
