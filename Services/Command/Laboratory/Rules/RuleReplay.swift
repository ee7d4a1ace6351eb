import AlarmRules
import Models

/// An alarm that rules find in a recording.
struct FoundAlarm: Hashable {
    let rule: String
    /// The kind of simulated fault that the rule looks for; nil if none is like it.
    let finds: String?
    let owner: Scope
    let subject: RuleSubject
    let episode: Int64
    var severity: Severity
    /// By event time, and when it was told by the clock of the recording.
    var raisedAt: UnixMilliseconds
    let toldAt: UnixMilliseconds
    var clearedAt: UnixMilliseconds?
    var devices: Int
    var isSampled: Bool
    /// The episode of the storm's parent that it is a child of; nil if of none.
    var parent: Int64?
    /// Of a storm's parent the most children at a time; 0 of any other alarm.
    var children: Int
}

/// Plays a recording through rules, as the router would meet it: rows when phones send them, the watermark behind them.
struct RuleReplay {
    private(set) var alarms: [FoundAlarm] = []
    private(set) var rows = 0
    private(set) var mock = 0
    private(set) var figures: [String: RuleFigures] = [:]
    private var places: [String: Int] = [:]
    private let sought: [String: String]

    /// - Parameter counts: nil, or what takes in what the rules of shares count in each minute.
    /// - Throws: ``RecordingError``.
    init(
        _ rules: [AlarmRule], recording path: String, _ programmes: Programmes, counts: RuleCountsFile? = nil
    ) throws {
        sought = Dictionary(
            rules.compactMap { rule in RuleTruth.kind(soughtBy: rule).map { (rule.id, $0) } },
            uniquingKeysWith: { first, _ in first })
        var reader = try RecordingReader(path: path, programmes), engine = RuleEngine(rules)
        var devices: [String: UInt32] = [:], now: UnixMilliseconds = 0, readers: [UInt8: RuleRowReader] = [:]
        while let row = try reader.next() {
            advance(&engine, from: now == 0 ? row.due : now, to: row.due, counts)
            now = row.due
            rows += 1
            guard let kind = programmes.kind(row.kind.recordKind.id),
                let programme = programmes.programme(of: kind.kind.id)
            else { continue }
            let device = devices[row.device] ?? UInt32(devices.count + 1)
            devices[row.device] = device
            let rowReader = readers[kind.kind.id] ?? RuleRowReader(kind, of: programme)
            readers[kind.kind.id] = rowReader
            let read = rowReader.row(device: device, eventAt: row.capturedAt) { row.values[$0] }
            if read.isMock { mock += 1 }
            take(engine.add(read) { row.values[$0] }, now)
        }
        // The recording ends here; the pipeline goes on for a day.
        let end = now + (rules.map(\.lateness).max() ?? 0) + 60_000
        advance(&engine, from: now, to: end, counts)
        figures = engine.figures
    }

    /// Goes on; where counts are wanted, minute after minute, which changes nothing else.
    private mutating func advance(
        _ engine: inout RuleEngine, from start: UnixMilliseconds, to end: UnixMilliseconds, _ counts: RuleCountsFile?
    ) {
        if let counts {
            for moment in stride(from: start + 60_000, to: end, by: 60_000) {
                take(engine.advance(to: moment), end)
                counts.append(engine.counts)
            }
        }
        take(engine.advance(to: end), end)
        if let counts, start / 60_000 < end / 60_000 { counts.append(engine.counts) }
    }

    private mutating func take(_ transitions: [RuleTransition], _ now: UnixMilliseconds) {
        for one in transitions {
            let name = "\(one.rule) \(one.owner.text) \(one.subject.text) \(one.episode)"
            let place = places[name] ?? alarms.count
            if place == alarms.count {
                places[name] = place
                alarms.append(
                    FoundAlarm(
                        rule: one.rule, finds: sought[one.childRule], owner: one.owner, subject: one.subject,
                        episode: one.episode, severity: one.severity, raisedAt: one.raisedAt, toldAt: now,
                        clearedAt: nil, devices: one.devices, isSampled: one.isSampled, parent: one.parent,
                        children: one.children))
            }
            alarms[place].severity = one.severity
            alarms[place].raisedAt = one.raisedAt
            alarms[place].clearedAt = one.clearedAt
            alarms[place].devices = one.devices
            alarms[place].isSampled = one.isSampled
            alarms[place].parent = one.parent
            alarms[place].children = max(alarms[place].children, one.children)
        }
    }
}
