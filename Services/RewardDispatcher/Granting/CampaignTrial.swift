internal import Engagement
internal import Foundation
public import Models
internal import Storage

/// What a campaign would grant for records, by the code that grants: in memory, where nobody is paid and nothing is told.
///
/// Confined to one thread. Nobody has given a number or is erased, and the provider neither pays nor refuses anything.
public final class CampaignTrial {
    /// A record as the device API would take it.
    public struct Record: Sendable {
        /// Name of its kind.
        public var kind: String
        /// From 1.
        public var device: UInt64
        /// Unix milliseconds.
        public var receivedAt: UnixMilliseconds
        public var capturedAt: UnixMilliseconds
        /// The network of the SIM.
        public var plmn: PLMN
        /// 1e-7 degrees; nil without a position.
        public var latitude: Int64?
        public var longitude: Int64?
        /// It answers a prompt.
        public var isPrompted = false
        /// It reports an emergency.
        public var isEmergency = false
        /// Its position is made up.
        public var isMocked = false

        public init(
            kind: String, device: UInt64, receivedAt: UnixMilliseconds, capturedAt: UnixMilliseconds, plmn: PLMN
        ) {
            self.kind = kind
            self.device = device
            self.receivedAt = receivedAt
            self.capturedAt = capturedAt
            self.plmn = plmn
        }
    }

    private let campaign: CampaignDocument
    private let database: ServiceDatabase
    private var maker: GrantMaker
    private let zone: TimeZone
    private var count: Int64 = 0
    /// Records that the campaign is not for.
    public private(set) var uncovered = 0
    /// When it first had too little left for a record; nil if it always had enough. Unix milliseconds.
    public private(set) var budgetEndedAt: UnixMilliseconds?

    /// - Parameters:
    ///   - timeZone: whose local days count.
    ///   - holdsSuspected: whether grants wait for a person when something is odd about their records.
    /// - Throws: `StorageError`.
    public init(_ campaign: CampaignDocument, timeZone: String, holdsSuspected: Bool = false) throws {
        self.campaign = campaign
        database = try ServiceDatabase(path: ":memory:", migrations: RewardDispatcherStore.migrations)
        maker = GrantMaker(GrantRules([campaign], timeZone: timeZone), holdsSuspected: holdsSuspected)
        zone = TimeZone(identifier: timeZone) ?? .gmt
    }

    /// Takes records, in the order in which they are received.
    public func take(_ records: [Record]) throws {
        var maker = maker, uncovered = 0, ended = budgetEndedAt, count = count
        let schedule = PaymentSchedule(
            callTimeout: 1_000, settle: 1_000, firstPause: 1_000, longestPause: 1_000, mostAttempts: 1)
        try database.write { db in
            var days = CampaignDayBook(db)
            var engagement = EngagementChanges(.standard([campaign.kindName]), zone: zone, db)
            for record in records {
                count += 1
                let rewarded = RewardedRecord(record, number: count)
                var changes = GrantChanges(
                    RewardDispatcherStore(), Ledger(), schedule, now: record.receivedAt, db)
                swap(&changes.days, &days)
                // Of a campaign that does not pay for records, none is covered when it comes.
                let isCovered = !campaign.paysForRecords && maker.rules.isFor(campaign, rewarded)
                let outcome = try maker.take(rewarded, &changes), isNew = try engagement.take(rewarded)
                if isNew { try maker.note(rewarded, db) }
                for outcome in try [outcome] + maker.bonuses(of: rewarded, isNew: isNew, &changes) {
                    switch outcome {
                    case .refused(.noCampaign): uncovered += isCovered ? 0 : 1
                    case .refused(.budget): ended = ended ?? record.receivedAt
                    case .refused, .granted: break
                    }
                }
                swap(&changes.days, &days)
            }
            try days.save()
        }
        self.maker = maker
        self.uncovered += uncovered
        budgetEndedAt = ended
        self.count = count
    }

    /// What it did so far, by day.
    public func days() throws -> [CampaignDayDocument] {
        try database.read { try CampaignDayStore().days(of: campaign.id, $0) }
    }
}

extension RewardedRecord {
    /// - Parameter number: of no other record.
    fileprivate init(_ record: CampaignTrial.Record, number: Int64) {
        self.init(
            kind: record.kind, device: record.device, record: RecordIdentifier(device: record.device, seq: number),
            receivedAt: record.receivedAt, capturedAt: record.capturedAt, plmn: record.plmn, latitude: record.latitude,
            longitude: record.longitude, isPrompted: record.isPrompted, isEmergency: record.isEmergency,
            isMocked: record.isMocked, flags: [])
    }
}
