public import Models

/// The settings that every program has, so that one environment serves all of them.
public struct CommonConfiguration: Sendable {
    /// `NKUL_HOME`, default `./var`: holds everything.
    public let home: Home
    /// `NKUL_ADMIN_<SERVICE>`, default `127.0.0.1:9101` … `9106`.
    public let admin: [ServiceName: HostPort]
    /// `NKUL_LANE_<LANE>`, default `ipc://$NKUL_HOME/run/<lane>.sock`; or `tcp://host:port` of its writer.
    public let laneEndpoints: [LaneName: String]
    /// `NKUL_LANE_KEYS`, default `$NKUL_HOME/keys`: directory of the CURVE keys of lanes over `tcp://`.
    public let laneKeys: String
    /// `NKUL_LANE_<LANE>_BYTES`: limit of the lane's journal at its writer; default batch and rollups 20 GB, others 2 GB.
    package let laneBytes: [LaneName: Int]
    /// `NKUL_TIME_ZONE`, default `Africa/Douala`: whose local days the day buckets are.
    public let timeZone: String
    /// `NKUL_ENCRYPT_BLOCKS`, default on: AES-256-GCM of block payloads at rest.
    public let encryptBlocks: Bool
    /// `NKUL_TLS_CERT` and `NKUL_TLS_KEY`: TLS 1.3 for phones and operators; without it, HTTP on loopback only.
    package let tls: TLSFiles?
    /// `NKUL_HTTP_INSECURE`, default off: clear text HTTP also where other machines could reach it.
    package let isHTTPInsecure: Bool
    /// `NKUL_CLOCK`, default `wall`: what the service's clock follows; `recording` on loopback only.
    public let clock: ClockMode
    /// `NKUL_LOG_LEVEL`, default `info`.
    public let logLevel: String
    /// `NKUL_LOG_FORMAT`, default `text`.
    public let logFormat: LogFormat

    /// - Throws: ``ServiceError`` of code `usage`.
    public init(_ settings: Settings) throws {
        let path = try settings.value(.text("NKUL_HOME", default: "./var", "directory that holds everything"))
        home = Home(path: path)
        admin = try Self.adminAddresses(settings)
        laneEndpoints = try Self.laneEndpoints(settings, home: home)
        laneKeys = try settings.value(
            .text("NKUL_LANE_KEYS", default: home.keys, "directory of the CURVE keys of lanes over tcp://"))
        laneBytes = try Self.laneBytes(settings)
        timeZone = try settings.value(.timeZone)
        encryptBlocks = try settings.value(
            .flag(
                "NKUL_ENCRYPT_BLOCKS", default: true,
                "AES-256-GCM of block payloads at rest; 0 for inspection and tests"))
        tls = try TLSFiles.read(settings)
        isHTTPInsecure = try settings.value(
            .flag(
                "NKUL_HTTP_INSECURE", default: false,
                "clear text HTTP beyond loopback: only in a network of containers, behind a TLS proxy"))
        clock = try settings.value(.clock)
        logLevel = try settings.value(.logLevel)
        logFormat = try settings.value(.logFormat)
        for (lane, endpoint) in laneEndpoints where endpoint.hasPrefix("tcp://") {
            try refuseRecordingClock(
                beyond: HostPort(String(endpoint.dropFirst("tcp://".count))), "NKUL_LANE_\(lane.rawValue.uppercased())")
        }
    }

    /// The endpoint of a lane: its writer binds it, its readers connect to it.
    public func endpoint(of lane: LaneName) -> String { laneEndpoints[lane]! }

    /// The limit of a lane's journal in bytes.
    public func journalBytes(of lane: LaneName) -> Int { laneBytes[lane]! }

    /// The address of an HTTP server for phones or operators: on loopback without TLS, unless `NKUL_HTTP_INSECURE` says
    /// that what is around it is safe.
    ///
    /// - Throws: ``ServiceError`` of code `usage`.
    public func httpAddress(
        _ settings: Settings, _ key: String, default text: String, _ summary: String
    ) throws -> HostPort {
        let address = try settings.value(
            isHTTPInsecure || tls != nil
                ? .address(key, default: text, summary)
                : .loopbackAddress(key, default: text, summary))
        try refuseRecordingClock(beyond: address, key)
        return address
    }

    /// A clock that a recording drives is for demonstrations and tests on one machine.
    ///
    /// - Throws: ``ServiceError`` of code `usage` if the clock is a recording's and other machines could reach the address.
    public func refuseRecordingClock(beyond address: HostPort?, _ key: String) throws {
        guard clock == .recording, let address, !address.isLoopback else { return }
        throw ServiceError(
            .usage,
            "NKUL_CLOCK: recording is not allowed with \(key)=\(address), which other machines may reach; a clock that"
                + " follows recordings is for loopback only")
    }
}

/// Every setting of one service: `<Name>Configuration`.
public protocol ServiceConfiguration: Sendable {
    /// The settings that all services have.
    var common: CommonConfiguration { get }

    /// Reads, checks and thereby declares each setting.
    ///
    /// - Throws: ``ServiceError`` of code `usage`.
    init(_ settings: Settings) throws
}
