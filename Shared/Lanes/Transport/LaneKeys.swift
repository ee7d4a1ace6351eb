public import Models
public import Storage
internal import ZeroMQ

/// The CURVE keys of lanes that leave the machine: one pair for all writers, one for all readers, the same on every host.
///
/// They are made once, by ``make(in:)``, and copied. A service only reads them: two hosts that each made their own would
/// never hear each other, and nothing would say why.
///
///     lanes.server.key     who writes lanes       lanes.client.key     who reads lanes
///     lanes.server.public  who reads lanes        lanes.client.public  who writes lanes
public struct LaneKeys: Sendable {
    /// ZAP domain of lane sockets.
    public static let domain = "lanes"
    private let directory: String

    /// - Parameter directory: that of the keys; nothing is read before a lane needs it.
    public init(directory: String) {
        self.directory = directory
    }

    /// Makes the pairs that are missing; a pair that is there, if only by its public half, stays.
    @discardableResult
    public static func make(in store: KeyStore) throws -> LaneKeys {
        for name in ["lanes.server", "lanes.client"] {
            let (secretName, publicName) = ("\(name).key", "\(name).public")
            if try store.existing(secretName) == nil, try store.existing(publicName) != nil { continue }
            let fresh = try CurveKeyPair.generate()
            let secret = try store.secret(secretName) { Array(fresh.secretKey.utf8) }
            let pair = try CurveKeyPair(secretKey: String(decoding: secret, as: UTF8.self))
            _ = try store.secret(publicName) { Array(pair.publicKey.utf8) }
        }
        return LaneKeys(directory: store.directory)
    }

    /// How a service offers the lanes that it writes: by file permissions on `ipc://`, else by CURVE.
    ///
    /// - Throws: ``LaneError/noKey(lane:address:path:)``, or `StorageError` for a key that others may read.
    public func serving(_ lanes: [LaneName], at addresses: [LaneName: String]) throws -> [LaneName: LaneEndpoint] {
        try endpoints(lanes, addresses, serving)
    }

    /// How a service reaches the lanes that it reads.
    ///
    /// - Throws: as ``serving(_:at:)-([LaneName],_)``.
    public func reading(_ lanes: [LaneName], at addresses: [LaneName: String]) throws -> [LaneName: LaneEndpoint] {
        try endpoints(lanes, addresses, reading)
    }

    /// True for an address that only this machine reaches by a path.
    public static func isLocal(_ address: String) -> Bool {
        address.hasPrefix("ipc://") || address.hasPrefix("inproc://")
    }

    private func endpoints(
        _ lanes: [LaneName], _ addresses: [LaneName: String], _ make: (LaneName, String) throws -> LaneEndpoint
    ) throws -> [LaneName: LaneEndpoint] {
        var endpoints: [LaneName: LaneEndpoint] = [:]
        for lane in lanes {
            guard let address = addresses[lane] else {
                throw LaneError.malformedMessage(what: "no endpoint of lane \(lane.rawValue)")
            }
            endpoints[lane] = Self.isLocal(address) ? LaneEndpoint(address: address) : try make(lane, address)
        }
        return endpoints
    }

    private func serving(_ lane: LaneName, at address: String) throws -> LaneEndpoint {
        LaneEndpoint(
            address: LaneAddress.binding(address),
            security: .curveServer(secretKey: try key("lanes.server.key", lane, address), domain: Self.domain),
            admitted: [try key("lanes.client.public", lane, address)])
    }

    private func reading(_ lane: LaneName, at address: String) throws -> LaneEndpoint {
        let own = try CurveKeyPair(secretKey: key("lanes.client.key", lane, address))
        return LaneEndpoint(
            address: address,
            security: .curveClient(keys: own, serverKey: try key("lanes.server.public", lane, address)))
    }

    private func key(_ name: String, _ lane: LaneName, _ address: String) throws -> String {
        let path = "\(directory)/\(name)"
        guard let bytes = try KeyStore.existing(at: path) else {
            throw LaneError.noKey(lane: lane, address: address, path: path)
        }
        // A file that was copied by hand may end with a line feed.
        return String(decoding: bytes, as: UTF8.self).filter { !$0.isNewline }
    }
}
