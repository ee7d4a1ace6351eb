internal import Models

/// One message of a tenant's endpoint, as it is stored and as it is sent.
public struct AlertMessage: Sendable, Equatable {
    /// Number of the tenant.
    public let tenant: Int64
    /// Rises by one per endpoint.
    public let seq: Int64
    /// `alerts/<plmn>/<severity>/<quadkey>`, `alerts/<scheme>/<number>/<severity>/<subject>`
    public let topic: String
    /// CloudEvents 1.0 attributes, JSON.
    public let header: [UInt8]
    /// zlib stream of the alarm's document.
    public let body: [UInt8]

    public init(tenant: Int64 = 0, seq: Int64, topic: String, header: [UInt8], body: [UInt8]) {
        self.tenant = tenant
        self.seq = seq
        self.topic = topic
        self.header = header
        self.body = body
    }

    public var frames: [[UInt8]] { [Array(topic.utf8), header, body] }
}

/// The second frame of a message: CloudEvents 1.0 attributes and what is Nkul's own.
enum AlertHeader {
    /// - Parameter notification: its previous severity is null for a new alarm.
    static func alarm(
        _ notification: AlarmNotification, tenant: AlertTenant, seq: Int64, time: UnixMilliseconds
    ) -> [UInt8] {
        let alarm = notification.alarm
        var text = event(type: "nkul.alarm.\(notification.state.rawValue)", id: "\(seq)", tenant: tenant, time: time)
        text += ",\"subject\":\"\(alarm.id)\",\"seq\":\(seq),\"severity\":\"\(alarm.severity.rawValue)\""
        text +=
            ",\"previousSeverity\":\(notification.previous.map { "\"\($0.rawValue)\"" } ?? "null"),\"encoding\":\"deflate\"}"
        return Array(text.utf8)
    }

    /// The header of a heartbeat: the last number given out, and by which journal.
    static func heartbeat(tenant: AlertTenant, seq: Int64, generation: UInt64, time: UnixMilliseconds) -> [UInt8] {
        var text = event(type: "nkul.heartbeat", id: "heartbeat-\(time)", tenant: tenant, time: time)
        text += ",\"subject\":\"heartbeat\",\"seq\":\(seq),\"generation\":\"\(String(generation, radix: 16))\""
        text += ",\"encoding\":\"deflate\"}"
        return Array(text.utf8)
    }

    private static func event(type: String, id: String, tenant: AlertTenant, time: UnixMilliseconds) -> String {
        "{\"specversion\":\"1.0\",\"id\":\"\(id)\",\"source\":\"/nkul/alerts/\(tenant.name)\",\"type\":\"\(type)\""
            + ",\"time\":\"\(Timestamp.text(time))\",\"datacontenttype\":\"application/json\""
    }
}
