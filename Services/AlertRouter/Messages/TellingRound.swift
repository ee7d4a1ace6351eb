internal import GRDB
internal import Lanes
internal import Models

/// What one transaction tells: numbers the messages of each tenant, stores them, and gathers the rows of the alarms lane.
struct TellingRound {
    let now: UnixMilliseconds
    let db: Database
    private let tenants: [AlertTenant]
    private let deflater: BodyDeflater
    private var seqs: [Int64: Int64] = [:]
    private var told: [AlertMessage] = []
    private var rows = KeyedRows()
    private var contributions = ContributionRows()

    /// - Parameter tenants: besides the built-in regulator, who is told first.
    init(_ tenants: [AlertTenant], _ deflater: BodyDeflater, now: UnixMilliseconds, _ db: Database) {
        self.tenants = tenants
        self.deflater = deflater
        self.now = now
        self.db = db
    }

    /// Tells everyone whose alarm it is, and the alarms lane.
    mutating func tell(_ telling: AlarmTelling, alarm number: Int64) throws {
        let document = telling.alarm.document(state: telling.state)
        let serving = try AlertRouterStore.networks(serving: number, db)
        rows.append(
            key: Array(telling.alarm.id.utf8), document: document, networks: serving, owner: telling.alarm.key.owner)
        contributions.append(try AlertRouterStore.takeContributions(to: telling.alarm, number: number, db))
        let body = deflater.deflate(document)
        try tell(telling, body, alarm: number, to: .regulator)
        for tenant in tenants where tenant.isTold(of: telling.alarm.key.owner, servedBy: serving) {
            if try telling.state == .raised || AlertMessageStore(tenant: tenant).knows(alarm: number, db) {
                try tell(telling, body, alarm: number, to: tenant)
            } else {
                try introduce(telling.alarm, alarm: number, to: tenant)
            }
        }
    }

    /// Tells one tenant of an alarm as of a new one, unless it has been told of it before or it is over.
    mutating func introduce(_ alarm: Alarm, alarm number: Int64, to tenant: AlertTenant) throws {
        guard alarm.severity != .cleared, let telling = AlarmTelling(.raise, alarm),
            try !AlertMessageStore(tenant: tenant).knows(alarm: number, db)
        else { return }
        try tell(telling, deflater.deflate(alarm.document(state: telling.state)), alarm: number, to: tenant)
    }

    private mutating func tell(
        _ telling: AlarmTelling, _ body: [UInt8], alarm number: Int64, to tenant: AlertTenant
    ) throws {
        let messages = AlertMessageStore(tenant: tenant)
        var seq = try seqs[tenant.number] ?? messages.lastSeq(db)
        for topic in telling.topics {
            seq += 1
            let header = AlertHeader.alarm(telling, tenant: tenant, seq: seq, time: now)
            let message = AlertMessage(tenant: tenant.number, seq: seq, topic: topic, header: header, body: body)
            try messages.append(message, alarm: number, at: now, db)
            told.append(message)
        }
        try messages.setLatest(seq, ofAlarm: number, db)
        seqs[tenant.number] = seq
    }

    /// Ends the round: the messages in the order of their numbers, to be sent once committed.
    consuming func finish(_ emit: inout Emission) throws -> [AlertMessage] {
        for (tenant, seq) in seqs { try AlertMessageStore.setLastSeq(seq, ofTenant: tenant, db) }
        if !rows.isEmpty { try emit.append(to: .alerts, kind: .alarm, columns: rows.columns) }
        if !contributions.isEmpty {
            try emit.append(to: .alerts, kind: .contribution, columns: contributions.columns)
        }
        return told
    }
}
