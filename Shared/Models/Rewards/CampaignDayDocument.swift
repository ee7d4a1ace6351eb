extension RecordKind {
    /// What a campaign did on a day, on the `rewards` lane: ``CampaignDayDocument``, keyed `20513/spring` by day and campaign.
    public static let campaignDay = RecordKind(
        id: 48, name: "campaign_day", version: 1, fields: [],
        serverFields: [
            Field(ColumnID.key, "key", .text(maximumCharacters: 96)),
            Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
        ])
}

/// The document of a record of kind `campaign_day`: figures about nobody, of the records that were received on one local day and that
/// a campaign covers. Amounts are whole XAF.
public struct CampaignDayDocument: Codable, Sendable, Equatable {
    /// Grants and what they are worth.
    public struct Sum: Codable, Sendable, Equatable {
        public var grants: Int64 = 0
        public var xaf: Int64 = 0

        public init(grants: Int64 = 0, xaf: Int64 = 0) {
            self.grants = grants
            self.xaf = xaf
        }

        public static func += (one: inout Sum, other: Sum) {
            one.grants += other.grants
            one.xaf += other.xaf
        }

        public static func -= (one: inout Sum, other: Sum) {
            one.grants -= other.grants
            one.xaf -= other.xaf
        }
    }

    public var campaign: String
    /// Days since 1970.
    public var day: Int64
    /// All networks that the campaign was for on the day, ascending; empty is any.
    public var operators: [String]
    /// All that were made.
    public var granted = Sum()
    /// Of those: paid, as the provider says.
    public var paid = Sum()
    /// Of those: owed, or on their way.
    public var open = Sum()
    /// Of the open ones: wait for a person, as something is odd.
    public var held: Int64 = 0
    /// Of those that were made: not paid, and will not be.
    public var rejected: Int64 = 0
    /// Paid, and taken back.
    public var reversed: Int64 = 0
    /// Records without a grant, by reason.
    public var refused: [String: Int64] = [:]
    /// Devices with a grant of the day.
    public var devices: Int64 = 0
    /// Of those: with their first grant by the campaign. The sum over all days is how many the campaign has reached.
    public var newDevices: Int64 = 0
    /// Grants for records with a position about which nothing is odd.
    public var useful: Int64 = 0
    /// Cells from which nothing had come for a while, and then a record for which there is a grant.
    public var newCells: Int64 = 0

    public init(campaign: String, day: Int64, operators: [String]) {
        self.campaign = campaign
        self.day = day
        self.operators = operators
    }

    /// The record's key.
    public var key: String { "\(day)/\(campaign)" }

    /// Level of the cells of ``newCells``, about 4.9 km: as fine as positions of everybody are.
    public static let cellLevel = 13
    /// Days for which nothing has come from a cell that is new.
    public static let cellDays: Int64 = 28

    enum CodingKeys: String, CodingKey {
        case campaign, day, operators, granted, paid, open, held, rejected, reversed, refused, devices, useful
        case newDevices = "new_devices"
        case newCells = "new_cells"
    }
}
