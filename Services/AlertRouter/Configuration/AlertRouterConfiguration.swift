public import Models
public import ServiceKit

/// Every setting of the alert router.
public struct AlertRouterConfiguration: ServiceConfiguration {
    public let common: CommonConfiguration
    /// `NKUL_ALERTS_HOST`: address the alert endpoints are bound to.
    public let host: String
    /// `NKUL_ALERTS_ADVERTISE`: name or address by which subscribers reach them; nil: the one they are bound to.
    public let advertised: String?
    /// `NKUL_ALERTS_PORT`: first of the alert ports; 0 takes any free ones.
    public let port: Int
    /// `NKUL_ALERTS_INSECURE`: no CURVE on alert endpoints; loopback only.
    public let isInsecure: Bool
    /// `NKUL_ALERT_ROUTER_UPDATE_MS`: least time between two updates of an alarm that only count.
    public let updateInterval: Duration
    /// `NKUL_ALERT_ROUTER_KEEP_HOURS`: how long messages are kept for REPLAY.
    public let keepHours: Int
    /// `NKUL_ALERT_ROUTER_KEEP_MESSAGES`: how many messages are kept for REPLAY.
    public let keepMessages: Int
    /// `NKUL_ALERT_ROUTER_RAISED_PER_MINUTE`: how many alarms of rules of one owner are told in a minute, each for itself.
    public let raisedPerMinute: Int
    /// `NKUL_ALERT_ROUTER_TRUST`: whose records count in alarms that are worse than a warning.
    public let trust: TrustPolicy

    /// - Throws: `ServiceError` of code `usage`.
    public init(_ settings: Settings) throws {
        common = try CommonConfiguration(settings)
        let host = try settings.value(
            .text("NKUL_ALERTS_HOST", default: "127.0.0.1", "address the alert endpoints are bound to"))
        self.host = host
        advertised = try settings.value(.advertised)
        port = try settings.value(
            .integer(
                "NKUL_ALERTS_PORT", default: 5556, in: 0...65_534, unit: "(0: any free ports)",
                "port of the regulator's PUB; replay is on the next; tenant n has port + 2n and + 2n + 1"))
        isInsecure = try settings.value(
            .flag("NKUL_ALERTS_INSECURE", default: false, "no CURVE on alert endpoints, on loopback only"))
        updateInterval = try settings.value(
            .milliseconds(
                "NKUL_ALERT_ROUTER_UPDATE_MS", default: 1_000, in: 0...3_600_000,
                "least time between two updates of an alarm that only count"))
        keepHours = try settings.value(
            .integer(
                "NKUL_ALERT_ROUTER_KEEP_HOURS", default: 192, in: 1...8_784, unit: "hours",
                "how long alert messages are kept for REPLAY"))
        keepMessages = try settings.value(
            .integer(
                "NKUL_ALERT_ROUTER_KEEP_MESSAGES", default: 1_000_000, in: 1_000...1_000_000_000, unit: "messages",
                "how many alert messages are kept for REPLAY"))
        raisedPerMinute = try settings.value(
            .integer(
                "NKUL_ALERT_ROUTER_RAISED_PER_MINUTE", default: 30, in: 1...1_000_000, unit: "alarms",
                "how many alarms of rules of one owner are told in a minute; one more speaks for the others"))
        trust = try settings.value(
            .trust(
                "NKUL_ALERT_ROUTER_TRUST",
                "whose records raise alarms above warning: any device's, not those of new ones in their first 24 hours,"
                    + " trusted ones'"))
        try common.refuseRecordingClock(beyond: HostPort(host: host, port: port), "NKUL_ALERTS_HOST")
        guard advertised != nil || !AlertAddress.wildcards.contains(host) else {
            throw ServiceError(
                .usage,
                "NKUL_ALERTS_ADVERTISE: is not set, and NKUL_ALERTS_HOST=\(host) is every address of this machine:"
                    + " set the name or address by which subscribers reach it")
        }
        guard !isInsecure || HostPort(host: host, port: port).isLoopback else {
            throw ServiceError(
                .usage,
                "NKUL_ALERTS_INSECURE: not with NKUL_ALERTS_HOST=\(host): without CURVE only loopback is allowed")
        }
    }
}

extension Setting where Value == String? {
    fileprivate static var advertised: Setting {
        Setting(
            "NKUL_ALERTS_ADVERTISE", default: "", range: "a host's name or address",
            "what subscribers are told to connect to (default: NKUL_ALERTS_HOST)"
        ) { text in
            if text.isEmpty { return .some(nil) }
            let colons = text.count(where: { $0 == ":" })
            let isPlain =
                text.utf8.allSatisfy { $0 < 128 }
                && text.allSatisfy { $0.isLetter || $0.isNumber || "-.:".contains($0) }
            return isPlain && colons != 1 && !AlertAddress.wildcards.contains(text) ? text : nil
        }
    }
}
