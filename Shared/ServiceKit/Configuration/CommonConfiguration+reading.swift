import Foundation
internal import Lanes
internal import Models

extension CommonConfiguration {
    static func adminAddresses(_ settings: Settings) throws -> [ServiceName: HostPort] {
        var addresses: [ServiceName: HostPort] = [:]
        for service in ServiceName.allCases {
            addresses[service] = try settings.value(
                .loopbackAddress(
                    "NKUL_ADMIN_\(service.keyPart)", default: "127.0.0.1:\(service.defaultAdminPort)",
                    "/healthz, /readyz and /metrics of \(service.executable)"))
        }
        return addresses
    }

    static func laneEndpoints(_ settings: Settings, home: Home) throws -> [LaneName: String] {
        var endpoints: [LaneName: String] = [:]
        for lane in LaneName.allCases {
            let key = "NKUL_LANE_\(lane.rawValue.uppercased())"
            let endpoint = try settings.value(
                .text(
                    key, default: "ipc://\(home.run)/\(lane.rawValue).sock",
                    "ipc://PATH, or tcp://HOST:PORT of its writer (with NKUL_LANE_KEYS), of the \(lane.rawValue) lane"))
            try checkLaneEndpoint(endpoint, key: settings.isGiven(key) ? key : "NKUL_HOME")
            endpoints[lane] = endpoint
        }
        return endpoints
    }

    static func laneBytes(_ settings: Settings) throws -> [LaneName: Int] {
        var limits: [LaneName: Int] = [:]
        for lane in LaneName.allCases {
            limits[lane] = try settings.value(
                .integer(
                    "NKUL_LANE_\(lane.rawValue.uppercased())_BYTES",
                    default: LaneLimits.standard(for: lane).maximumBytes, in: 1_000_000...1_000_000_000_000_000,
                    unit: "bytes", "limit of the \(lane.rawValue) lane's journal at its writer"))
        }
        return limits
    }

    private static func checkLaneEndpoint(_ endpoint: String, key: String) throws {
        if endpoint.hasPrefix("ipc://") {
            try checkPath(endpoint.dropFirst("ipc://".count), key: key)
        } else if !isTCP(endpoint) {
            throw ServiceError(
                .usage,
                "\(key): \"\(endpoint)\" is not allowed; expected ipc://PATH, or tcp://HOST:PORT with the name or"
                    + " address by which readers find the lane's writer")
        }
    }

    /// One setting tells the writer where to listen and the readers where to call, so it names one host and one port.
    private static func isTCP(_ endpoint: String) -> Bool {
        let scheme = "tcp://"
        guard endpoint.hasPrefix(scheme), let address = HostPort(String(endpoint.dropFirst(scheme.count))) else {
            return false
        }
        return address.port > 0 && !["*", "0.0.0.0", "::"].contains(address.host)
    }

    /// An ipc path must fit into `sockaddr_un`, whose 108 bytes include the final zero.
    private static func checkPath(_ path: Substring, key: String) throws {
        guard path.utf8.count <= 107 else {
            throw ServiceError(
                .usage,
                "\(key): the socket path \(path) has \(path.utf8.count) bytes, more than the 107 that the system"
                    + " allows; choose a shorter NKUL_HOME")
        }
    }
}

extension Setting where Value == ClockMode {
    static var clock: Setting {
        Setting(
            "NKUL_CLOCK", default: ClockMode.wall.rawValue,
            range: ClockMode.allCases.map(\.rawValue).joined(separator: ", "),
            "recording: the time is what nkul replay --clock says; for demonstrations and tests, on loopback only"
        ) { ClockMode(rawValue: $0) }
    }
}

extension Setting where Value == String {
    static var timeZone: Setting {
        Setting(
            "NKUL_TIME_ZONE", default: "Africa/Douala", range: "a name of the tz database, as Africa/Douala",
            "whose local days the day buckets are; fixed in a home at its first start"
        ) { TimeZone(identifier: $0) == nil ? nil : $0 }
    }

    static var logLevel: Setting {
        .choice(
            "NKUL_LOG_LEVEL", default: "info",
            of: ["trace", "debug", "info", "notice", "warning", "error", "critical"],
            "least level that is logged")
    }
}

extension Setting where Value == LogFormat {
    static var logFormat: Setting {
        Setting(
            "NKUL_LOG_FORMAT", default: LogFormat.text.rawValue,
            range: LogFormat.allCases.map(\.rawValue).joined(separator: ", "),
            "how lines of the log look: logfmt, or an object a line"
        ) { LogFormat(rawValue: $0) }
    }
}
