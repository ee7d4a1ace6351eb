/// What the pipeline promises, written down as plainly as it can be: uploads and consents in, rows, statistics and alarms
/// out, and what each tenant sees of them.
///
/// Naive on purpose: dictionaries, text and floating-point numbers, everything counted from the beginning; it shares no
/// decision with the product. What differs from it is a defect of one of the two.
public struct ReferenceModel: Sendable {
    private struct Device {
        var usedSeqs: Set<Int> = []
        var byID: [String: ReferenceRecord] = [:]
        /// When it may send the full number of urgent records again.
        var urgentFullAt = 0
    }

    /// All that a subscriber can allow.
    public static let allPurposes = ReferenceConsent.all

    private static let back = 8 * 86_400_000
    private static let ahead = 300_000
    let zoneOffset: Int
    private let urgentPerMinute: Int
    private var devices: [Int: Device] = [:]
    private var allowed: [Int: ReferenceConsent] = [:]
    private var trusts: [Int: ReferenceTrust] = [:]
    private let alarmTrust: ReferenceTrustPolicy
    /// What is kept for how long, and when that was last looked after.
    public internal(set) var retention: ReferenceRetention?
    /// Of which times and places nothing is taken any more, by device.
    private var blocked: [Int: [ReferenceScope]] = [:]
    /// Copies that devices asked for, by the identifiers of their requests.
    public internal(set) var copies: [String: ReferenceCopy] = [:]
    /// Where the rewards of devices go, by the numbers that they gave.
    public internal(set) var payouts: [Int: ReferencePayout] = [:]
    /// Devices of which everything was erased.
    public private(set) var erased: Set<Int> = []
    /// Devices of which a part was erased.
    public var partlyErased: Set<Int> { Set(blocked.keys) }
    /// Rows that were accepted and then erased.
    public private(set) var erasedRows: [ReferenceRow] = []
    /// The same by the erasure that took them.
    private(set) var erasedRequests: [String: [ReferenceRow]] = [:]
    /// Local days that begin before are closed, Unix seconds.
    public internal(set) var sealedThrough = 0
    /// What is left of their statistics.
    var sealedLines: [String] = []

    /// Every consent that says something new, in the order in which they came: the ledger.
    public private(set) var ledger: [ReferenceLedgerEntry] = []
    /// How many there ever were: the audit log keeps what the ledger has to forget.
    public private(set) var consents = 0
    /// Accepted rows in the order of their acceptance.
    public private(set) var rows: [ReferenceRow] = []

    /// - Parameters:
    ///   - zoneOffset: seconds that local time is ahead of UTC (Douala: 3 600, all year).
    ///   - urgentPerMinute: urgent records of a device that raise alarms, a divisor of 60 000; 0: all.
    ///   - alarmTrust: whose records raise alarms.
    ///   - retention: what is kept for how long; nil: everything, without an end.
    public init(
        zoneOffset: Int = 3600, urgentPerMinute: Int = 0, alarmTrust: ReferenceTrustPolicy = .any,
        retention: ReferenceRetention? = nil
    ) {
        self.retention = retention
        self.zoneOffset = zoneOffset
        self.urgentPerMinute = urgentPerMinute
        self.alarmTrust = alarmTrust
    }

    /// The raw rows a tenant sees.
    public func rows(for tenant: ReferenceTenant) -> [ReferenceRow] { rawRows.filter(tenant.sees) }

    /// Emergencies that count in no alarm, as their devices cannot be trusted.
    public var untrustedAlarms: Int { rows.count { isNews($0) && !alarmTrust.counts($0) } }

    /// Emergencies that count in no alarm, as they were told too long after they were captured.
    public var lateAlarms: Int {
        rows.count { ReferenceNews.raises($0.record) && !$0.isDeferred && !ReferenceNews.isNews($0) }
    }

    func isAlarming(_ row: ReferenceRow) -> Bool { isNews(row) && alarmTrust.counts(row) }

    private func isNews(_ row: ReferenceRow) -> Bool {
        !row.isDeferred && row.stored["mock_location"] != 1 && ReferenceNews.isNews(row)
    }

    /// Everything of a device goes; what comes from it later is refused.
    public mutating func erase(device: Int, request: String = "") {
        withdrawCopies(of: device)
        erased.insert(device)
        remove(for: request) { $0.device == device }
        ledger.removeAll { $0.device == device }
        payouts[device] = nil
    }

    /// Whether a record, as consent leaves it, is of a time and place that its device had erased: it is rejected now.
    public func isBlocked(_ record: ReferenceRecord, device: Int, capturedAt: Int) -> Bool {
        blocked[device]?.contains { $0.takes(record, capturedAt: capturedAt) } ?? false
    }

    /// What a device captured in a time or an area goes, up to now; what comes of it later is rejected.
    public mutating func erase(
        device: Int, from: Int?, to: Int?, cells: [String]? = nil, now: Int, request: String = ""
    ) {
        withdrawCopies(of: device)
        let scope = ReferenceScope(from: from, to: to, cells: cells, now: now)
        remove(for: request) { $0.device == device && scope.takes($0.record, capturedAt: $0.capturedAt) }
        blocked[device, default: []].append(scope)
    }

    private mutating func remove(for request: String, where goes: (ReferenceRow) -> Bool) {
        let gone = rows.filter(goes)
        erasedRows += gone
        erasedRequests[request, default: []] += gone
        rows.removeAll(where: goes)
    }

    /// A device enrols with a consent. One that never did allows everything, and is as new as can be.
    ///
    /// - Parameter trust: what it has behind it; nil if it enrols now, without a code.
    public mutating func enrol(device: Int, purposes: Set<String>, at time: Int, trust: ReferenceTrust? = nil) {
        trusts[device] = trust ?? ReferenceTrust(enrolledAt: time)
        let consent = ReferenceConsent(purposes)
        allowed[device] = consent
        consents += 1
        ledger.append(.init(device: device, version: 1, purposes: purposes, receivedAt: time))
    }

    /// A subscriber allows something else from now on.
    public mutating func change(consentOf device: Int, to purposes: Set<String>, at time: Int) {
        guard var consent = allowed[device], consent.change(to: purposes, at: time) else { return }
        allowed[device] = consent
        if !purposes.contains("rewards") { payouts[device]?.withdraw() }
        consents += 1
        ledger.append(.init(device: device, version: consent.version, purposes: purposes, receivedAt: time))
    }

    /// What a device allows now; without `measurement` every upload is refused.
    public func purposes(of device: Int) -> Set<String> { consent(of: device).purposes }

    /// How far a device can be trusted now.
    public func trust(of device: Int) -> ReferenceTrust { trusts[device] ?? ReferenceTrust() }

    private func consent(of device: Int) -> ReferenceConsent {
        allowed[device] ?? ReferenceConsent(ReferenceConsent.all)
    }

    /// Takes an upload in, all at once.
    ///
    /// - Parameters:
    ///   - device: the device's number.
    ///   - purposes: what the device allowed when the upload was read: what it did not allow is gone already.
    ///   - readAt: when the upload was read, and how far the device could be trusted then; nil: as it is committed.
    ///   - receivedAt: when it was committed, Unix milliseconds.
    ///   - clockOffset: how far the phone's clock was behind when the upload arrived, milliseconds.
    ///   - onlyUrgent: the batch lane is full: records for it are neither accepted nor remembered.
    /// - Returns: what becomes of each record, in order; nil for one that is held back.
    public mutating func submit(
        _ records: [ReferenceRecord], device: Int, readUnder purposes: Set<String>? = nil,
        readAt: (time: Int, trust: ReferenceTrust)? = nil, receivedAt: Int, clockOffset: Int = 0,
        onlyUrgent: Bool = false
    ) -> [ReferenceOutcome?] {
        let purposes = purposes ?? ReferenceConsent.all, first = rows.count
        let read = readAt ?? (receivedAt, trust(of: device))
        let outcomes = records.map { decide($0, device, purposes, receivedAt, clockOffset, onlyUrgent) }
        for place in first..<rows.count { (rows[place].arrivedAt, rows[place].trust) = read }
        // A device that is told to come again has not been told that anything was accepted.
        if rows.count > first, !outcomes.contains(nil) { trusts[device, default: ReferenceTrust()].see(at: receivedAt) }
        return outcomes
    }

    /// The same rows in the order in which they were really received.
    ///
    /// - Parameter time: when a row was, Unix milliseconds; nil if that is not known better.
    public func received(at time: (ReferenceRow) -> Int?) -> ReferenceModel {
        var model = self
        for place in rows.indices { model.rows[place].receivedAt = time(rows[place]) ?? rows[place].receivedAt }
        model.rows.sort { $0.receivedAt < $1.receivedAt }
        return model
    }

    /// What consent leaves of a record; nil if there was none to measure when it was captured.
    public func allowed(
        _ record: ReferenceRecord, device: Int, readUnder purposes: Set<String>, clockOffset: Int
    ) -> (record: ReferenceRecord, purposes: Set<String>)? {
        let consent = consent(of: device)
        let then = consent.purposes(at: Int(record.number("captured_at_ms") ?? 0) + clockOffset)
        guard then.contains("measurement") else { return nil }
        let allowed = ReferenceConsent.both(ReferenceConsent.both(then, consent.purposes), purposes)
        return (ReferenceConsent.reduced(record, to: allowed), allowed)
    }

    private mutating func decide(
        _ sent: ReferenceRecord, _ number: Int, _ readUnder: Set<String>, _ receivedAt: Int, _ clockOffset: Int,
        _ onlyUrgent: Bool
    ) -> ReferenceOutcome? {
        guard let record = ReferenceField.taken(sent)?.record else { return .rejected(field: "value") }
        guard let phoneTime = record.number("captured_at_ms") else { return .rejected(field: "captured_at") }
        let seq = record.number("seq").map { Int($0) }
        guard let id = record.text("id") ?? seq.map({ Self.uuid(device: number, seq: $0) }) else {
            return .rejected(field: "id")
        }
        guard let kept = allowed(record, device: number, readUnder: readUnder, clockOffset: clockOffset) else {
            return .rejected(field: "consent")
        }
        if isBlocked(kept.record, device: number, capturedAt: Int(phoneTime) + clockOffset) {
            return .rejected(field: "erased")
        }
        var device = devices[number] ?? Device()
        if let first = device.byID[id] { return first == record ? .duplicate : .conflict }
        let capturedAt = Int(phoneTime) + clockOffset
        guard capturedAt >= receivedAt - Self.back, capturedAt <= receivedAt + Self.ahead else {
            return .rejected(field: "captured_at")
        }
        let isDeferred = Self.isUrgent(kept.record) && !takeUrgent(&device, receivedAt)
        if onlyUrgent && (isDeferred || !Self.isUrgent(kept.record)) { return nil }
        let isReused = seq.map { !device.usedSeqs.insert($0).inserted } ?? false
        device.byID[id] = record
        devices[number] = device
        rows.append(
            ReferenceRow(
                device: number, kind: record.kind, id: id, receivedAt: receivedAt, capturedAt: capturedAt,
                stored: Self.stored(kept.record), isSeqReused: isReused, record: kept.record, purposes: kept.purposes,
                consentVersion: consent(of: number).version, isReduced: kept.record != record,
                isDeferred: isDeferred, arrivedAt: receivedAt))
        return .accepted
    }

    /// Each urgent record takes its share of a minute to be made up for; a whole minute may be owed.
    private func takeUrgent(_ device: inout Device, _ now: Int) -> Bool {
        guard urgentPerMinute > 0 else { return true }
        let share = 60_000 / urgentPerMinute, fullAt = max(device.urgentFullAt, now) + share
        guard fullAt <= now + 60_000 else { return false }
        device.urgentFullAt = fullAt
        return true
    }

    /// Ingest ended: how many urgent records each device has sent is forgotten.
    public mutating func ingestEnded() {
        for number in devices.keys { devices[number]!.urgentFullAt = 0 }
    }

    /// True if a record travels on the real-time lane.
    public static func isUrgent(_ record: ReferenceRecord) -> Bool { ReferenceNews.isUrgent(record) }

    /// The UUIDv8 of a device's counter: 48 bits device, version 8, variant 2, 62 bits counter.
    public static func uuid(device: Int, seq: Int) -> String {
        let counter = "8" + hexadecimal(seq, digits: 15)
        return hexadecimal(device, digits: 12).prefix(8) + "-" + hexadecimal(device, digits: 12).suffix(4) + "-8000-"
            + counter.prefix(4) + "-" + counter.suffix(12)
    }

    private static func hexadecimal(_ number: Int, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: digits - text.count) + text
    }

    private static func stored(_ record: ReferenceRecord) -> [String: Int] {
        var stored: [String: Int] = [:]
        for (name, value) in record.fields {
            switch value {
            case .number(let number): stored[name] = ReferenceField.numbers[name]?.stored(number)
            case .text(let text): stored[name] = ReferenceField.words[name]?.firstIndex(of: text)
            case .flag(let flag): stored[name] = flag ? 1 : 0
            }
        }
        return stored
    }
}
