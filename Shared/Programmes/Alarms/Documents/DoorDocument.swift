internal import AlarmRules
public import Models

/// A door of a site, and the device that opens it.
public struct DoorDocument: Codable, Sendable, Equatable {
    public var id: Int64
    public var site: Int64
    public var name: String
    /// The device's number.
    public var device: Int64

    /// Compiles a document: the one way in which exporter and router read it.
    ///
    /// - Throws: ``DocumentRefusal`` with everything that is wrong.
    public init(compiling document: [UInt8], id: Int64) throws(DocumentRefusal) {
        var reader = try RuleReader(site: document, id: id)
        let site = reader.whole("site", in: RuleReader.siteNumbers), name = reader.text("name")
        let device = reader.whole("device", in: SiteDocument.devices)
        try reader.finishAll()
        self.id = id
        self.site = Int64(site!)
        self.name = name!
        self.device = Int64(device!)
    }
}
