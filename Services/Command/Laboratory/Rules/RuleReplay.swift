import AlarmRules
import Models

/// An alarm that rules find in a recording.
struct FoundAlarm: Hashable {
    let rule: String
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

    /// - Throws: ``RecordingError``.
    init(_ rules: [AlarmRule], recording path: String, _ programmes: Programmes) throws {
        var reader = try RecordingReader(path: path, programmes), engine = RuleEngine(rules)
        var devices: [String: UInt32] = [:], now: UnixMilliseconds = 0
        while let row = try reader.next() {
            now = row.due
            take(engine.advance(to: now), now)
            rows += 1
            guard let kind = programmes.kind(row.kind.recordKind.id),
                let programme = programmes.programme(of: kind.kind.id)
            else { continue }
            let device = devices[row.device] ?? UInt32(devices.count + 1)
            devices[row.device] = device
            let read = RuleRowReader(kind, of: programme).row(device: device, eventAt: row.capturedAt) {
                row.values[$0]
            }
            if read.isMock { mock += 1 }
            take(engine.add(read) { row.values[$0] }, now)
        }
        // The recording ends here; the pipeline goes on for a day.
        let latest = rules.map(\.lateness).max() ?? 0
        take(engine.advance(to: now + latest + 60_000), now + latest + 60_000)
        figures = engine.figures
    }

    private mutating func take(_ transitions: [RuleTransition], _ now: UnixMilliseconds) {
        for one in transitions {
            let name = "\(one.rule) \(one.owner.text) \(one.subject.text) \(one.episode)"
            let place = places[name] ?? alarms.count
            if place == alarms.count {
                places[name] = place
                alarms.append(
                    FoundAlarm(
                        rule: one.rule, owner: one.owner, subject: one.subject, episode: one.episode,
                        severity: one.severity, raisedAt: one.raisedAt, toldAt: now, clearedAt: nil,
                        devices: one.devices, isSampled: one.isSampled, parent: one.parent, children: one.children))
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
