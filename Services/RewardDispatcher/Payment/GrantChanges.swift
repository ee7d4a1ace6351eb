internal import Foundation
internal import GRDB
internal import Lanes
internal import Models
internal import Wire

/// What one transaction changes: grants, their ledger entries, the calls that follow, and the rows of the `rewards` lane.
struct GrantChanges {
    let now: UnixMilliseconds
    let db: Database
    private let store: RewardDispatcherStore
    private let ledger: Ledger
    private let schedule: PaymentSchedule
    private var changed: [GrantID: Grant] = [:]
    private var order: [GrantID] = []
    /// Those whose documents changed.
    private var told: Set<GrantID> = []
    /// An erased grant was settled, and has lost the provider's reference.
    private(set) var hasReplacedReferences = false
    /// To be carried out once the transaction is committed.
    private(set) var calls: [ProviderCall] = []
    /// What left the budgets of campaigns by decisions about grants that there were, less what came back.
    private(set) var spent: [String: Int64] = [:]
    /// Figures of campaigns.
    var days: CampaignDayBook
    /// What cannot both be true of a grant.
    private(set) var contradictions: [(grant: GrantID, what: String)] = []

    init(
        _ store: RewardDispatcherStore, _ ledger: Ledger, _ schedule: PaymentSchedule, now: UnixMilliseconds,
        _ db: Database
    ) {
        self.store = store
        self.ledger = ledger
        self.schedule = schedule
        days = CampaignDayBook(db)
        self.now = now
        self.db = db
    }

    /// Books a new grant, which is owed from now on; as it is then.
    @discardableResult
    mutating func add(_ grant: Grant) throws -> Grant {
        var grant = grant
        try book(&grant, from: .budget, to: .owed)
        told.insert(grant.id)
        try keep(grant, before: nil)
        return grant
    }

    /// Lets the core decide about a grant and puts down what it decided; the grant as it is then.
    @discardableResult
    mutating func decide(_ event: RewardDispatcherCore.Event, _ before: Grant) throws -> Grant {
        var core = RewardDispatcherCore(before, schedule)
        let actions = core.handle(event)
        guard core.grant != before || !actions.isEmpty else { return before }
        var grant = core.grant
        for action in actions {
            switch action {
            case .move(let source, let target):
                try book(&grant, from: source, to: target)
                if source == .budget { spent[grant.campaign, default: 0] += grant.amount }
                if target == .budget { spent[grant.campaign, default: 0] -= grant.amount }
            case .call(let call): calls.append(call)
            case .contradiction(let what): contradictions.append((grant.id, what))
            }
        }
        if grant.document != before.document { told.insert(grant.id) }
        try keep(grant, before: before)
        return grant
    }

    /// Ends the transaction: what changed goes to the lane, grants first, then the balances of their devices. Of erased subjects
    /// nothing is told.
    ///
    /// - Returns: the grants as they are now, in the order in which they first changed.
    mutating func finish(_ emit: inout Emission) throws -> [Grant] {
        try days.finish(&emit)
        guard !order.isEmpty else { return [] }
        let all = order.map { changed[$0]! }, grants = all.filter { $0.erased == nil && told.contains($0.id) }
        guard !grants.isEmpty else { return all }
        var grantRows = RewardRows(), balanceRows = RewardRows()
        for grant in grants { try grantRows.append(grant.id.text, grant.device, grant.document) }
        for device in Set(grants.map(\.device)).sorted() {
            let balance = try ledger.balance(of: device, db)
            try balanceRows.append(String(device), device, balance)
        }
        try emit.append(to: .rewards, kind: .grant, columns: grantRows.columns)
        try emit.append(to: .rewards, kind: .balance, columns: balanceRows.columns)
        return all
    }

    private mutating func book(
        _ grant: inout Grant, from source: LedgerAccount.Kind, to target: LedgerAccount.Kind
    ) throws {
        grant.moves += 1
        try ledger.book(
            try LedgerTransaction(grant, number: grant.moves, from: source, to: target, at: now), db)
    }

    /// - Parameter before: as it was; nil if it is new.
    private mutating func keep(_ grant: Grant, before: Grant?) throws {
        try store.save(grant, db)
        try days.move(from: before, to: grant)
        if let erased = grant.erased, grant.state.isFinal, grant.id != erased.id {
            try ErasureTables().replaceReference(of: grant, by: erased, db)
            hasReplacedReferences = true
        }
        if changed.updateValue(grant, forKey: grant.id) == nil { order.append(grant.id) }
    }
}

extension Ledger {
    /// What a device was paid and has still to get.
    func balance(of device: UInt64, _ db: Database) throws -> BalanceDocument {
        let owner = String(device)
        return BalanceDocument(
            device: device,
            paidXAF: try balance(LedgerAccount(.paid, owner: owner), db) + CarriedBalances().paid(device, db),
            pendingXAF: try balance(LedgerAccount(.owed, owner: owner), db)
                + balance(LedgerAccount(.float, owner: owner), db))
    }
}

/// Rows of the `rewards` lane: key, device, document.
struct RewardRows {
    private var keys: [[UInt8]] = []
    private var devices: [Int64] = []
    private var documents: [[UInt8]] = []
    private let encoder: JSONEncoder

    init() {
        encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    mutating func append(_ key: String, _ device: UInt64, _ document: some Encodable) throws {
        append(key, device, encoded: Array(try encoder.encode(document)))
    }

    /// The same of a document that is encoded already.
    mutating func append(_ key: String, _ device: UInt64, encoded document: [UInt8]) {
        keys.append(Array(key.utf8))
        devices.append(Int64(bitPattern: device))
        documents.append(document)
    }

    var count: Int { keys.count }

    var columns: Columns {
        Columns(
            rowCount: keys.count,
            columns: [
                Column(id: ColumnID.key, strings: keys), Column(id: ColumnID.device, values: devices),
                Column(id: ColumnID.document, strings: documents),
            ])
    }
}
