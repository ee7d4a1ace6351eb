/// The document of a record of kind `contribution`: what a device has to do with an alarm.
public struct ContributionDocument: Codable, Sendable, Equatable {
    /// Identifier of the alarm.
    public var alarm: String
    /// The device's ordinal.
    public var device: UInt64
    /// Its records that count in the alarm.
    public var records: Int64
    /// When the first of them was received, Unix milliseconds; constant.
    public var firstAt: UnixMilliseconds

    public init(alarm: String, device: UInt64, records: Int64, firstAt: UnixMilliseconds) {
        self.alarm = alarm
        self.device = device
        self.records = records
        self.firstAt = firstAt
    }

    /// The key of the record.
    public var key: String { "\(alarm)/\(device)" }

    enum CodingKeys: String, CodingKey {
        case alarm, device, records
        case firstAt = "first_at_ms"
    }
}
