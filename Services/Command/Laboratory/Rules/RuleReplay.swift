import AlarmRules
import Models

/// An alarm that rules find in a recording.
@dynamicMemberLookup
struct FoundAlarm: Hashable {
    let alarm: TriedAlarm
    /// The kind of simulated fault that the rule looks for; nil if none is like it.
    let finds: String?

    subscript<Value>(dynamicMember member: KeyPath<TriedAlarm, Value>) -> Value { alarm[keyPath: member] }
}

/// Plays a recording through rules, as the router would meet it: rows when phones send them, the watermark behind them.
struct RuleReplay {
    let alarms: [FoundAlarm]
    private(set) var rows = 0
    private(set) var mock = 0
    let figures: [String: RuleFigures]

    /// - Parameter counts: nil, or what takes in what the rules of shares count in each minute.
    /// - Throws: ``RecordingError``.
    init(
        _ rules: [AlarmRule], recording path: String, _ programmes: Programmes, counts: RuleCountsFile? = nil
    ) throws {
        var reader = try RecordingReader(path: path, programmes), trial = RuleTrial(rules)
        var devices: [String: UInt32] = [:], now: UnixMilliseconds = 0, readers: [UInt8: RuleRowReader] = [:]
        while let row = try reader.next() {
            Self.advance(&trial, from: now == 0 ? row.due : now, to: row.due, counts)
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
            trial.add(read, receivedAt: now) { row.values[$0] }
        }
        // The recording ends here; the pipeline goes on for a day.
        let end = now + (rules.map(\.lateness).max() ?? 0) + 60_000
        Self.advance(&trial, from: now, to: end, counts)
        figures = trial.figures
        let sought = Dictionary(
            rules.compactMap { rule in RuleTruth.kind(soughtBy: rule).map { (rule.id, $0) } },
            uniquingKeysWith: { first, _ in first })
        alarms = trial.alarms.map { alarm in
            FoundAlarm(alarm: alarm, finds: sought[RuleTransition.childRule(of: alarm.rule)])
        }
    }

    /// Goes on; where counts are wanted, minute after minute, which changes nothing else.
    private static func advance(
        _ trial: inout RuleTrial, from start: UnixMilliseconds, to end: UnixMilliseconds, _ counts: RuleCountsFile?
    ) {
        if let counts {
            for moment in stride(from: start + 60_000, to: end, by: 60_000) {
                trial.advance(to: moment, toldAt: end)
                counts.append(trial.counts)
            }
        }
        trial.advance(to: end)
        if let counts, start / 60_000 < end / 60_000 { counts.append(trial.counts) }
    }
}
