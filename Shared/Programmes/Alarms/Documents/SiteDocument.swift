internal import AlarmRules
public import Models

/// A place with sensors and doors. Its number is that of the scope `site:<number>`, by which tenants own it.
public struct SiteDocument: Codable, Sendable, Equatable {
    /// Seconds that arming may wait for people who leave, and an alarm for people who come in.
    public static let delays = 0...600
    static let devices = 1...Int(OwnerOrdinal.devices.upperBound)
    static let allowedZone = "an IANA zone such as Africa/Douala"

    public var id: Int64
    public var name: String
    /// In whose hours keys open doors.
    public var zone: String
    /// The devices, by their numbers, that may report for its sensors.
    public var devices: [Int64]
    /// The device in whose name events of an alarm panel are stored; nil if it has none.
    public var panel: Int64?
    /// Seconds between the command to arm and being armed.
    public var exitDelay: Int
    /// Digits with which people arm and disarm, as a digest; nil: their log-in is enough.
    public var code: SiteCode?

    /// Compiles a document: the one way in which exporter and router read it.
    ///
    /// - Parameter id: its number. The document may name it, too, and then names the same.
    /// - Throws: ``DocumentRefusal`` with everything that is wrong.
    public init(compiling document: [UInt8], id: Int64) throws(DocumentRefusal) {
        var reader = try RuleReader(site: document, id: id)
        let name = reader.text("name"), zone = reader.zone("zone")
        let devices = reader.numbers("devices", in: Self.devices)
        let panel = reader.has("panel") ? reader.whole("panel", in: Self.devices) : reader.missing("panel")
        let exit = reader.whole("exit_delay_s", in: Self.delays, default: 0)
        let code = reader.object("code").map { inner -> SiteCode? in
            var inner = inner
            defer { reader.take(inner) }
            return SiteCode(&inner)
        }
        try reader.finishAll()
        self.id = id
        self.name = name!
        self.zone = zone!
        self.devices = devices
        self.panel = panel.map(Int64.init)
        self.exitDelay = exit!
        self.code = code ?? nil
    }

    /// Whether a device may report for its sensors.
    public func has(device: Int64) -> Bool { devices.contains(device) || panel == device }

    enum CodingKeys: String, CodingKey {
        case id, name, zone, devices, panel, code
        case exitDelay = "exit_delay_s"
    }
}

/// The digits with which people arm and disarm, as a digest with salt.
public struct SiteCode: Codable, Sendable, Equatable {
    /// Both in hexadecimal digits.
    public var salt, digest: String

    public init(salt: String, digest: String) {
        self.salt = salt
        self.digest = digest
    }

    init?(_ reader: inout RuleReader) {
        let salt = reader.text("salt"), digest = reader.text("digest")
        reader.finish()
        guard let salt, let digest else { return nil }
        self.init(salt: salt, digest: digest)
    }
}
