import Foundation
import PipelineTesting
import TemporaryFiles
import ZeroMQ

/// Where a tenant's alerts are, and the keys by which it comes in.
struct AlertAccess: Decodable, Sendable {
    let tenant: String
    let alertsPub: String
    let alertsReplay: String
    let serverPublicKey: String
    let clientSecretKey: String

    /// Reads what `nkul admin tenant add --json` prints, or a key file in the home.
    init(json: Data) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(AlertAccess.self, from: json)
    }

    /// The built-in regulator's, from the file that the router left in the home.
    static func regulator(of pack: ServicePack) throws -> AlertAccess {
        let file = URL(fileURLWithPath: pack.home.path("home/keys/regulator.alerts.json"))
        return try AlertAccess(json: Data(contentsOf: file))
    }

    /// The way in with the tenant's own keys.
    func security() throws -> SocketSecurity {
        .curveClient(keys: try CurveKeyPair(secretKey: clientSecretKey), serverKey: serverPublicKey)
    }
}
