public import Storage
public import ZeroMQ

/// The CURVE keys of lanes that leave the machine: one pair for all writers, one for all readers, in `keys/`.
///
/// To spread services over machines, copy `lanes.server.public`, `lanes.client.public` and, to readers, `lanes.client.key`.
public struct LaneKeys: Sendable {
    /// ZAP domain of lane sockets; the owner of the context's `ZAPHandler` admits ``client`` to it.
    public static let domain = "lanes"
    public let server: CurveKeyPair
    public let client: CurveKeyPair

    /// Loads the pairs, or makes them.
    public init(_ store: KeyStore) throws {
        server = try Self.pair("lanes.server", store)
        client = try Self.pair("lanes.client", store)
    }

    /// How a writer binds an address: by file permissions for `ipc://`, else by CURVE.
    public func serving(_ address: String) -> LaneEndpoint {
        LaneEndpoint(
            address: address,
            security: Self.isLocal(address) ? .local : .curveServer(secretKey: server.secretKey, domain: Self.domain))
    }

    /// How a reader connects to an address.
    public func reading(_ address: String) -> LaneEndpoint {
        LaneEndpoint(
            address: address,
            security: Self.isLocal(address) ? .local : .curveClient(keys: client, serverKey: server.publicKey))
    }

    /// Lets readers in; needed by writers with an address that is not local.
    public func admitReaders(to handler: ZAPHandler) throws {
        try handler.admit(client.publicKey, domain: Self.domain)
    }

    /// True for an address that only this machine reaches by a path.
    public static func isLocal(_ address: String) -> Bool {
        address.hasPrefix("ipc://") || address.hasPrefix("inproc://")
    }

    private static func pair(_ name: String, _ store: KeyStore) throws -> CurveKeyPair {
        let fresh = try CurveKeyPair.generate()
        let secret = try store.secret("\(name).key") { Array(fresh.secretKey.utf8) }
        let pair = try CurveKeyPair(secretKey: String(decoding: secret, as: UTF8.self))
        _ = try store.secret("\(name).public") { Array(pair.publicKey.utf8) }
        return pair
    }
}
