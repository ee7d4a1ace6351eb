public import Models

/// Finds alarms in rows by rules, by event time: the same rows, whatever their order within the rules' lateness, give the same
/// episodes.
///
///     rows ───add──▶ at once: devices with bad values, counted ──────────────▶ transitions
///       wait by minute
///     watermark ─advance─▶ minute after minute: shares, silence, falls, clearing ─▶ transitions
///
/// Pure: it knows no clock, no file and no lane. Confined to one thread.
public struct RuleEngine: Sendable {
    /// Minutes without any row in which nothing is cleared and no silence is found: then it is the pipeline that is silent.
    public static let quietMinutes: Int32 = 10

    /// A watermark that is so many minutes before an earlier one says that clocks were set back: windows begin anew.
    public static let setBackMinutes: Int32 = 10

    /// With it the router as a whole stays within 150 MB.
    public static let usualBudget = 48 << 20

    /// Most bytes of windows and rows that wait, as ``byteCount`` counts them.
    public var budget: Int
    /// ``byteCount`` when it was looked at last, which is each minute and every so many rows.
    public internal(set) var measuredBytes = 0
    var runs: [RuleRun]
    /// The highest number of an episode of each rule that was removed: one that is set under its name goes on from there.
    var removed: [String: Int64] = [:]
    /// Minutes in which any row happened, as far back as a rule may ask.
    var heard: Set<Int32> = []
    private var lastHeard = Int32.min

    public init(_ rules: [AlarmRule], budget: Int = RuleEngine.usualBudget) {
        self.budget = budget
        runs = rules.map { RuleRun($0) }
    }

    /// The rules at work.
    public var rules: [AlarmRule] { runs.map(\.rule) }

    /// Columns that its rules look at, ascending.
    public var columns: [UInt8] { Set(rules.flatMap(\.columns)).sorted() }

    /// What each rule has done, by its name.
    public var figures: [String: RuleFigures] {
        Dictionary(runs.map { ($0.rule.id, $0.figures) }, uniquingKeysWith: { first, _ in first })
    }

    /// Takes in a row.
    ///
    /// - Parameter value: the stored value of a column of the row; nil if it has none.
    /// - Returns: what it raises or makes worse at once, mostly nothing.
    public mutating func add(_ row: RuleRow, _ value: (_ column: UInt8) -> Int64?) -> [RuleTransition] {
        var transitions: [RuleTransition] = []
        add(row, value, into: &transitions)
        return transitions
    }

    /// The same; what is found is added to `transitions`.
    public mutating func add(
        _ row: RuleRow, _ value: (_ column: UInt8) -> Int64?, into transitions: inout [RuleTransition]
    ) {
        guard !row.isMock else { return }
        hear(at: row.eventAt)
        var isDue = false
        for place in runs.indices {
            runs[place].add(row, value, into: &transitions)
            guard runs[place].sinceLook >= RuleRun.mostSinceLook else { continue }
            (runs[place].sinceLook, isDue) = (0, true)
        }
        if isDue { keepWithinBudget(into: &transitions) }
    }

    /// Notes that somebody was heard, by a row that no rule needs.
    public mutating func hear(at time: UnixMilliseconds) {
        let minute = Minutes.minute(time)
        guard minute != lastHeard else { return }
        heard.insert(minute)
        lastHeard = minute
    }

    /// Goes on to the time up to which everything that happened is known, less each rule's lateness.
    ///
    /// - Parameters:
    ///   - watermark: up to when the lanes are complete: the slower one's received time. One that goes back a little changes
    ///     nothing; one that is ``setBackMinutes`` back withdraws all alarms, and everything begins anew but episodes' numbers.
    ///   - isBehind: true while the pipeline does not keep up, or after it was silent: nothing is cleared, and no silence found,
    ///     in the minutes that pass.
    /// - Returns: transitions in the order of their minutes, rule by rule.
    public mutating func advance(to watermark: UnixMilliseconds, isBehind: Bool = false) -> [RuleTransition] {
        var transitions: [RuleTransition] = []
        let reached = runs.compactMap { $0.watermarkMinute }.max()
        if let reached, Minutes.minute(watermark) + Self.setBackMinutes <= reached {
            beginAnew(into: &transitions)
        }
        let heard = heard, before = runs.map(\.settled)
        for place in runs.indices {
            runs[place].settle(
                to: watermark, isFrozen: { minute in isBehind || Self.isQuiet(minute, heard) }, into: &transitions)
        }
        guard runs.map(\.settled) != before else { return transitions }
        keepWithinBudget(into: &transitions)
        if let oldest = runs.compactMap(\.settled).min() {
            self.heard = heard.filter { $0 > oldest - Self.quietMinutes }
            lastHeard = .min
        }
        return transitions
    }

    private mutating func beginAnew(into transitions: inout [RuleTransition]) {
        for place in runs.indices {
            runs[place].withdraw(into: &transitions)
            runs[place] = runs[place].replaced(by: runs[place].rule)
        }
        (heard, lastHeard) = ([], .min)
    }

    private static func isQuiet(_ minute: Int32, _ heard: Set<Int32>) -> Bool {
        !(0..<quietMinutes).contains { heard.contains(minute - $0) }
    }

    /// Puts other rules in the place of those at work. What decides the same under the same name goes on as it was.
    ///
    /// - Returns: the alarms of rules that are gone or decide otherwise, withdrawn.
    public mutating func reload(_ rules: [AlarmRule]) -> [RuleTransition] {
        var transitions: [RuleTransition] = []
        let old = Dictionary(runs.map { ($0.rule.id, $0) }, uniquingKeysWith: { first, _ in first })
        let kept = Dictionary(rules.map { ($0.id, $0.fingerprint) }, uniquingKeysWith: { first, _ in first })
        for run in runs where kept[run.rule.id] != run.rule.fingerprint { run.withdraw(into: &transitions) }
        for run in runs where kept[run.rule.id] == nil && run.lastNumber > 0 { removed[run.rule.id] = run.lastNumber }
        runs = rules.map { rule in
            guard let before = old[rule.id] else {
                return RuleRun(rule, numbersAfter: removed.removeValue(forKey: rule.id) ?? 0)
            }
            return before.rule.fingerprint == rule.fingerprint ? before.renamed(rule) : before.replaced(by: rule)
        }
        return transitions
    }

    /// Forgets a device. Alarms stay, with one device less where it counted.
    ///
    /// - Returns: in how many windows it was, and the alarms that changed.
    public mutating func erase(_ device: UInt32) -> (windows: Int, transitions: [RuleTransition]) {
        var transitions: [RuleTransition] = [], windows = 0
        for place in runs.indices { windows += runs[place].erase(device, into: &transitions) }
        return (windows, transitions)
    }
}
