import Foundation
import ServiceKit
import ZeroMQ

/// What a subscriber needs: a tenant's key file as the alert router wrote it, or what `nkul admin tenant add` printed.
struct TailKeys: Decodable {
    let tenant: String?
    let curve: Bool?
    /// Missing where the endpoint speaks clear text.
    let server_public_key: String?
    /// Missing in the router's file of an added tenant: the router never learns it.
    let client_secret_key: String?
    let alerts_pub: String
    let alerts_replay: String
    /// The file that they were read from.
    private(set) var path = ""

    private enum CodingKeys: String, CodingKey {
        case tenant, curve, server_public_key, client_secret_key, alerts_pub, alerts_replay
    }

    /// The keys that a home has of a tenant; nil if it has not the subscriber's, which only who added the tenant has.
    ///
    /// - Throws: `ServiceError` naming the file if it is missing or not a key file.
    static func load(tenant: String, from home: Home) throws -> TailKeys? {
        let path = "\(home.keys)/\(tenant).alerts.json"
        guard access(path, F_OK) == 0 else {
            throw ServiceError(
                .failed, "no alert keys at \(path): the alert router writes them when it first serves that tenant")
        }
        let keys = try decoded(path, tenant: tenant)
        return keys.isOpen || keys.client_secret_key != nil ? try keys.checked(path) : nil
    }

    /// The keys of a file.
    ///
    /// - Parameter tenant: whose they must be; nil: anyone's.
    /// - Throws: `ServiceError` naming the file.
    static func read(_ path: String, tenant: String? = nil) throws -> TailKeys {
        try decoded(path, tenant: tenant).checked(path)
    }

    private static func decoded(_ path: String, tenant: String?) throws -> TailKeys {
        let text = try SmallFile.read(path)
        guard var keys = try? JSONDecoder().decode(TailKeys.self, from: Data(text.utf8)) else {
            throw ServiceError(.failed, "\(path) is neither a key file of the alert router nor what tenant add printed")
        }
        keys.path = path
        if let tenant, let owner = keys.tenant, owner != tenant {
            throw ServiceError(.failed, "\(path) holds the keys of \(owner), not of \(tenant)")
        }
        return keys
    }

    private func checked(_ path: String) throws -> TailKeys {
        guard isOpen || server_public_key != nil else {
            throw ServiceError(.failed, "\(path) does not hold the endpoint's key (server_public_key)")
        }
        guard isOpen || client_secret_key != nil else {
            throw ServiceError(
                .failed,
                "\(path) does not hold the subscriber's key, which only who added the tenant has: use --keys FILE with"
                    + " what \"nkul admin tenant add --json\" printed")
        }
        return self
    }

    /// Whether the endpoint speaks clear text.
    private var isOpen: Bool { curve == false }

    func security() throws -> SocketSecurity {
        guard !isOpen, let client_secret_key, let server_public_key else { return .clearText }
        return .curveClient(keys: try CurveKeyPair(secretKey: client_secret_key), serverKey: server_public_key)
    }
}
