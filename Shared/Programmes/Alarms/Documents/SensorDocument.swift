internal import AlarmRules
public import Models

/// A sensor of a site: how bad it is when it is HIGH, and whether people arm it.
public struct SensorDocument: Codable, Sendable, Equatable {
    public static let severities: [Severity] = [.warning, .minor, .major, .critical]
    /// Types of TMF642 (ITU-T X.733 and X.736) that a sensor's alarm can have.
    public static let types = [
        "environmentalAlarm", "equipmentAlarm", "physicalViolation", "securityServiceOrMechanismViolation",
        "timeDomainViolation", "operationalViolation",
    ]

    public var id: Int64
    public var site: Int64
    public var name: String
    public var severity: Severity
    public var type: String
    /// It is armed always: smoke, water, a panic button. It cannot be disarmed.
    public var isAlways: Bool
    /// Seconds that people who come in have to disarm it.
    public var entryDelay: Int
    /// How an alarm panel names it; nil if none does.
    public var panel: PanelZone?

    /// Compiles a document: the one way in which exporter, router and ingest read it.
    ///
    /// - Throws: ``DocumentRefusal`` with everything that is wrong.
    public init(compiling document: [UInt8], id: Int64) throws(DocumentRefusal) {
        var reader = try RuleReader(site: document, id: id)
        let site = reader.whole("site", in: RuleReader.siteNumbers), name = reader.text("name")
        let severity = reader.word("severity", of: Self.severities.map(\.rawValue), default: "major")
        let type = reader.word("type", of: Self.types, default: Self.types[0])
        let isAlways = reader.flag("always", default: false)
        let entry = reader.whole("entry_delay_s", in: SiteDocument.delays, default: 0)
        if isAlways, let entry, entry > 0 {
            reader.refuse("entry_delay_s", "is \(entry)", allowed: "0, as the sensor is armed always")
        }
        let panel = reader.object("panel").map { inner -> PanelZone? in
            var inner = inner
            defer { reader.take(inner) }
            return PanelZone(&inner)
        }
        // Whatever could not be read is a problem, so that this throws and nothing below is nil.
        try reader.finishAll()
        self.id = id
        self.site = Int64(site!)
        self.name = name!
        self.severity = Severity(rawValue: severity!)!
        self.type = type!
        self.isAlways = isAlways
        self.entryDelay = entry!
        self.panel = panel ?? nil
    }

    enum CodingKeys: String, CodingKey {
        case id, site, name, severity, type, panel
        case isAlways = "always"
        case entryDelay = "entry_delay_s"
    }
}

/// How an alarm panel names a sensor: by its account and a zone of it.
public struct PanelZone: Codable, Sendable, Hashable {
    public static let zones = 0...9_999

    /// 3 to 16 hexadecimal digits, letters in upper case.
    public var account: String
    public var zone: Int

    public init(account: String, zone: Int) {
        self.account = account
        self.zone = zone
    }

    init?(_ reader: inout RuleReader) {
        let account = reader.text("account"), zone = reader.whole("zone", in: Self.zones)
        if let account, !Self.isAccount(account) {
            reader.refuse("account", "is \"\(account.prefix(64))\"", allowed: "3…16 hexadecimal digits")
        }
        reader.finish()
        guard let account, let zone else { return nil }
        self.init(account: account.uppercased(), zone: zone)
    }

    public static func isAccount(_ text: some StringProtocol) -> Bool {
        (3...16).contains(text.utf8.count)
            && text.utf8.allSatisfy { (48...57).contains($0) || (65...70).contains($0) || (97...102).contains($0) }
    }
}
