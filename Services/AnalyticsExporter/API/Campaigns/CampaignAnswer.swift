internal import ExporterRows
internal import ExporterStores
internal import Models
internal import ServiceKit

/// The answer to `GET /v1/campaigns`.
struct CampaignAnswer: Encodable {
    struct Coverage: Encodable {
        let level = CampaignDayDocument.cellLevel
        let days = CampaignDayDocument.cellDays
    }

    struct Campaign: Encodable {
        let campaign: String
        let networks: [String]
        let document: JSONValue?
        let ever: Ever
        let total: Counts
        let days: [Counts]

        init(_ figures: CampaignFigures) {
            campaign = figures.campaign
            networks = figures.networks
            document = figures.document
            ever = Ever(grants: figures.grants, spent_xaf: figures.spentXAF, devices: figures.devices)
            total = Counts(figures.total, isTotal: true)
            days = figures.days.map { Counts($0, isTotal: false) }
        }
    }

    /// Since the campaign's first day.
    struct Ever: Encodable {
        let grants, spent_xaf, devices: Int64
    }

    /// Of a day, or of all days together; for those the number of devices is not known.
    struct Counts: Encodable {
        let day: String?
        let grants, granted_xaf, paid, paid_xaf, open, open_xaf, held, rejected, reversed, spent_xaf: Int64
        let refused: [String: Int64]
        let devices: Int64?
        let new_devices, useful: Int64
        let cost_per_useful_xaf: Double?
        let new_cells: Int64

        init(_ figures: CampaignDayDocument, isTotal: Bool) {
            day = isTotal ? nil : ReceivedDay.text(of: figures.day)
            (grants, granted_xaf) = (figures.granted.grants, figures.granted.xaf)
            (paid, paid_xaf) = (figures.paid.grants, figures.paid.xaf)
            (open, open_xaf) = (figures.open.grants, figures.open.xaf)
            (held, rejected, reversed) = (figures.held, figures.rejected, figures.reversed)
            spent_xaf = figures.spentXAF
            refused = figures.refused
            devices = isTotal ? nil : figures.devices
            (new_devices, useful, new_cells) = (figures.newDevices, figures.useful, figures.newCells)
            cost_per_useful_xaf = figures.costPerUsefulXAF
        }

        /// Writes null for a cost that is not known, where a synthesized encoding would leave it out.
        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encodeIfPresent(day, forKey: .day)
            for (key, value) in [
                (CodingKeys.grants, grants), (.granted_xaf, granted_xaf), (.paid, paid), (.paid_xaf, paid_xaf),
                (.open, open), (.open_xaf, open_xaf), (.held, held), (.rejected, rejected), (.reversed, reversed),
                (.spent_xaf, spent_xaf), (.new_devices, new_devices), (.useful, useful), (.new_cells, new_cells),
            ] { try members.encode(value, forKey: key) }
            try members.encode(refused, forKey: .refused)
            try members.encodeIfPresent(devices, forKey: .devices)
            try members.encode(cost_per_useful_xaf, forKey: .cost_per_useful_xaf)
        }

        enum CodingKeys: String, CodingKey {
            case day, grants, granted_xaf, paid, paid_xaf, open, open_xaf, held, rejected, reversed, spent_xaf, refused,
                devices, new_devices, useful, cost_per_useful_xaf, new_cells
        }
    }

    /// First and last local day.
    let from, to: String
    let time_zone: String
    let coverage = Coverage()
    let campaigns: [Campaign]

    init(_ campaigns: [CampaignFigures], of days: ClosedRange<Int64>, timeZone: String) {
        from = ReceivedDay.text(of: days.lowerBound)
        to = ReceivedDay.text(of: days.upperBound)
        time_zone = timeZone
        self.campaigns = campaigns.map(Campaign.init)
    }
}

/// The same as CSV, a row a campaign and day.
enum CampaignTable {
    private static let names = [
        "campaign", "networks", "day", "grants", "granted_xaf", "paid", "paid_xaf", "open", "open_xaf", "held",
        "rejected", "reversed", "spent_xaf", "refused", "devices", "new_devices", "useful", "cost_per_useful_xaf",
        "new_cells",
    ]

    static func text(of campaigns: [CampaignFigures]) -> [UInt8] {
        let rows = campaigns.flatMap { campaign in campaign.days.map { row(campaign, $0) } }
        return Array(([names] + rows).map { $0.joined(separator: ",") + "\r\n" }.joined().utf8)
    }

    /// Names of campaigns, networks and reasons have neither commas nor quotation marks in them.
    private static func row(_ campaign: CampaignFigures, _ day: CampaignDayDocument) -> [String] {
        let counts: [Int64] = [
            day.granted.grants, day.granted.xaf, day.paid.grants, day.paid.xaf, day.open.grants, day.open.xaf, day.held,
            day.rejected, day.reversed, day.spentXAF,
        ]
        let refused = day.refused.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: " ")
        return [campaign.campaign, campaign.networks.joined(separator: " "), ReceivedDay.text(of: day.day)]
            + counts.map { String($0) } + [refused] + [day.devices, day.newDevices, day.useful].map { String($0) }
            + [day.costPerUsefulXAF.map { String($0) } ?? "", String(day.newCells)]
    }
}
