import Foundation
import ServiceKit
import ZeroMQ

/// A tenant's key file as the alert router wrote it.
struct TailKeys: Decodable {
    let curve: Bool?
    let server_public_key: String
    let client_secret_key: String
    let alerts_pub: String
    let alerts_replay: String

    /// - Throws: `ServiceError` naming the file if it is missing or not a key file.
    static func load(tenant: String, from home: Home) throws -> TailKeys {
        let path = "\(home.keys)/\(tenant).alerts.json"
        guard access(path, F_OK) == 0 else {
            throw ServiceError(
                .failed, "no alert keys at \(path): the alert router writes them when it first runs on this home")
        }
        let text = try SmallFile.read(path)
        guard let keys = try? JSONDecoder().decode(TailKeys.self, from: Data(text.utf8)) else {
            throw ServiceError(.failed, "\(path) is not a key file of the alert router")
        }
        return keys
    }

    func security() throws -> SocketSecurity {
        guard curve ?? true else { return .clearText }
        return .curveClient(keys: try CurveKeyPair(secretKey: client_secret_key), serverKey: server_public_key)
    }
}
