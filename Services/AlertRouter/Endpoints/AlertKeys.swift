internal import Foundation
internal import Models
internal import Storage
internal import ZeroMQ

/// A tenant's key file, `keys/<tenant>.alerts.json`: the keys of both sides and where the endpoint is.
struct AlertKeys: Codable, Sendable, Equatable {
    var tenant: String
    /// Number of an added tenant: a later one of the same name gets other keys.
    var number: Int64?
    /// Whether the endpoint speaks CURVE; if not, the keys are not used.
    var curve: Bool
    var serverPublicKey: String
    var serverSecretKey: String
    var clientPublicKey: String
    /// The regulator's only: that of an added tenant is known to who added it.
    var clientSecretKey: String?
    /// Where to SUB from this machine.
    var alertsPub: String
    /// Where to ask for SNAPSHOT and REPLAY from this machine.
    var alertsReplay: String

    enum CodingKeys: String, CodingKey {
        case tenant, number, curve
        case serverPublicKey = "server_public_key"
        case serverSecretKey = "server_secret_key"
        case clientPublicKey = "client_public_key"
        case clientSecretKey = "client_secret_key"
        case alertsPub = "alerts_pub"
        case alertsReplay = "alerts_replay"
    }

    /// Name of a tenant's file in `keys/`.
    static func fileName(_ tenant: String) -> String { "\(tenant).alerts.json" }

    /// The keys of a tenant as they are in the store, or new ones.
    ///
    /// - Throws: `StorageError` if the file cannot be used, `DecodingError` if it is not a key file.
    static func load(_ tenant: AlertTenant, from store: KeyStore) throws -> AlertKeys {
        var keys = try store.existing(fileName(tenant.name)).map { try AlertKeys(json: $0) }
        guard let clientPublicKey = tenant.clientPublicKey else { return try keys ?? fresh(tenant) }
        if keys?.number != tenant.number { keys = try fresh(tenant) }
        keys?.clientPublicKey = clientPublicKey
        keys?.clientSecretKey = nil
        return try keys ?? fresh(tenant)
    }

    private static func fresh(_ tenant: AlertTenant) throws -> AlertKeys {
        let server = try CurveKeyPair.generate(), client = try CurveKeyPair.generate()
        let isBuiltIn = tenant.clientPublicKey == nil
        return AlertKeys(
            tenant: tenant.name, number: isBuiltIn ? nil : tenant.number, curve: true,
            serverPublicKey: server.publicKey, serverSecretKey: server.secretKey,
            clientPublicKey: tenant.clientPublicKey ?? client.publicKey,
            clientSecretKey: isBuiltIn ? client.secretKey : nil, alertsPub: "", alertsReplay: "")
    }

    /// Writes the file, readable by its owner only; does nothing if it says the same already.
    func save(to store: KeyStore) throws {
        let name = Self.fileName(tenant)
        if let bytes = try store.existing(name), (try? AlertKeys(json: bytes)) == self { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try store.store(name, Array(encoder.encode(self)))
    }

    /// What others may know: where subscribers reach the endpoint, and its public key.
    func announcement(_ address: AlertAddress) -> EndpointDocument {
        EndpointDocument(
            tenant: tenant, alertsPub: address.publish, alertsReplay: address.replay, serverPublicKey: serverPublicKey,
            curve: curve)
    }

    /// How the endpoint is served.
    var serverSecurity: SocketSecurity {
        curve ? .curveServer(secretKey: serverSecretKey, domain: tenant) : .clearText
    }
}

extension AlertKeys {
    /// Reads a key file.
    init(json: [UInt8]) throws {
        self = try JSONDecoder().decode(AlertKeys.self, from: Data(json))
    }
}
