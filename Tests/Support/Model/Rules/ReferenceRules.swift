/// An alarm of a rule that there must be.
public struct ReferenceRuleAlarm: Sendable, Equatable {
    /// Unix milliseconds of the minute whose rows raised it.
    public let raisedAt: Int
    /// Whether the watermark has passed that minute: before, the time may be a later one.
    public let isConfirmed: Bool
    /// Whether it has passed everything that was said of its subject: before, counts may be lower ones than were told.
    public let isSettled: Bool
    /// When it was over by what rows say, or because its rule went; nil while it is not.
    public let clearedAt: Int?
    /// Its rule went, or decided otherwise, while it was open.
    public let isWithdrawn: Bool
    public let devices: Int
    /// While it is open.
    public let severity: String
}

/// Which alarms rules must have raised: told everything in the order in which the windows of rules heard it, and how far the lanes
/// were complete when something else than rows decided.
///
/// Rows that came later than a rule waits may have counted or not, by how quickly the watermark went on: where that matters nothing is said.
public struct ReferenceRules: Sendable {
    /// What must be of one rule.
    public struct Outcome: Sendable {
        /// In the order in which they were raised.
        public var alarms: [ReferenceRuleSubject: [ReferenceRuleAlarm]] = [:]
        /// Of which nobody can say it.
        public var doubtful: Set<ReferenceRuleSubject> = []
    }

    /// A rule while it decides the same.
    private struct Life: Sendable {
        var rule: ReferenceRule
        var rows: [ReferenceRow] = []
        /// When it ended, and how far the lanes were complete then; nil if it has not.
        var ended: (at: Int, reached: Int?)?
    }

    private let trust: ReferenceTrustPolicy
    private var lives: [String: [Life]] = [:]
    private var rows: [ReferenceRow] = []

    /// - Parameter trust: whose rows count.
    public init(trust: ReferenceTrustPolicy) { self.trust = trust }

    /// Whether there is a rule of that name, and whether there ever was.
    public func has(_ id: String) -> Bool { lives[id]?.last?.ended.map { _ in false } ?? (lives[id] != nil) }
    public func hasHad(_ id: String) -> Bool { lives[id] != nil }

    /// A rule is set, or removed (nil).
    ///
    /// - Parameters:
    ///   - now: of the step that put it to work, Unix milliseconds.
    ///   - reached: the watermark then; nil before the first.
    public mutating func hear(_ rule: ReferenceRule?, id: String, at now: Int, reached: Int?) {
        if let last = lives[id]?.last, last.ended == nil {
            if let rule, last.rule.decides(as: rule) { return lives[id]![lives[id]!.count - 1].rule.text = rule.text }
            lives[id]![lives[id]!.count - 1].ended = (now, reached)
        }
        if let rule { lives[id, default: []].append(Life(rule: rule)) }
    }

    /// A row is heard of.
    public mutating func hear(_ row: ReferenceRow) {
        guard row.stored["mock_location"] != 1, trust.counts(row) else { return }
        rows.append(row)
        for (id, own) in lives where own.last!.ended == nil { lives[id]![own.count - 1].rows.append(row) }
    }

    /// What must be of each rule that ever was.
    ///
    /// - Parameters:
    ///   - reached: the watermark now; nil before the first.
    ///   - erased: devices of which anything was erased.
    public func outcomes(reached: Int?, erased: Set<Int>) -> [String: Outcome] {
        lives.mapValues { lives in
            var outcome = Outcome()
            for life in lives {
                let (at, reached) = life.ended.map { (Optional($0.at), $0.reached) } ?? (nil, reached)
                for (subject, rows) in Dictionary(grouping: life.rows, by: life.rule.subject) {
                    guard let subject else { continue }
                    if let alarms = alarms(life.rule, rows, reached: reached, endedAt: at, erased) {
                        outcome.alarms[subject, default: []] += alarms
                    } else {
                        outcome.doubtful.insert(subject)
                    }
                }
            }
            return outcome
        }
    }

    /// Those of one subject in one life of a rule; nil if nobody can say.
    private func alarms(
        _ rule: ReferenceRule, _ rows: [ReferenceRow], reached: Int?, endedAt: Int?, _ erased: Set<Int>
    ) -> [ReferenceRuleAlarm]? {
        let said = rows.filter { rule.verdict($0) != nil }
        if said.contains(where: { erased.contains($0.device) }) { return nil }
        let sure = said.filter { Self.isInTime($0, rule) }
        if matters(said.filter { !Self.isInTime($0, rule) }, beside: sure, rule) { return nil }
        let last = reached.map { Self.minute($0 - rule.lateness * 1_000) - 1 } ?? Int.min / 2
        // Somebody who was heard late, or is erased, may have let something be cleared.
        let surelyHeard = self.rows.filter { Self.isInTime($0, rule) && !erased.contains($0.device) }
        let found = [surelyHeard, self.rows].map { heard in
            self.alarms(rule, sure, heard: heard, through: last, endedAt)
        }
        return found[0] == found[1] ? found[0] : nil
    }

    private func alarms(
        _ rule: ReferenceRule, _ said: [ReferenceRow], heard: [ReferenceRow], through last: Int, _ endedAt: Int?
    ) -> [ReferenceRuleAlarm] {
        let window = ReferenceWindow(
            rule: rule,
            words: said.map {
                .init(minute: Self.minute($0.capturedAt), device: $0.device, isBad: rule.verdict($0)!)
            }, heard: Set(heard.map { Self.minute($0.capturedAt) }))
        var episodes = window.episodes(through: last), isConfirmed = episodes.map { _ in true }
        if rule.kind == .count, rule.holdSet == 0, episodes.last.map({ $0.cleared != nil }) ?? true,
            // So many devices raise at once, before the watermark.
            let next = window.episodes(through: .max).dropFirst(episodes.count).first
        {
            episodes.append(next)
            isConfirmed.append(false)
        }
        let isSettled = said.allSatisfy { Self.minute($0.capturedAt) <= last }
        return zip(episodes, isConfirmed).map { episode, isConfirmed in
            let cleared = isConfirmed ? episode.cleared.map { $0 * 60_000 } : nil
            return ReferenceRuleAlarm(
                raisedAt: episode.raised * 60_000, isConfirmed: isConfirmed, isSettled: isSettled,
                clearedAt: cleared ?? endedAt,
                isWithdrawn: cleared == nil && endedAt != nil, devices: episode.count,
                severity: rule.severity(of: episode.peak))
        }
    }

    /// Whether rows that came too late may change anything: they are not all of long before, and too few to raise anything alone.
    private func matters(_ late: [ReferenceRow], beside sure: [ReferenceRow], _ rule: ReferenceRule) -> Bool {
        guard !late.isEmpty else { return false }
        let bad = Set(late.filter { rule.verdict($0)! }.map(\.device))
        if rule.kind == .count ? bad.count >= rule.set : !bad.isEmpty { return true }
        guard let first = sure.map({ Self.minute($0.capturedAt) }).min() else { return false }
        let last = late.map { Self.minute($0.capturedAt) }.max()!
        return last + rule.window + rule.holdClear + 12 >= first
    }

    /// Whether a row came while its rule still waited for it, however quick the watermark is.
    private static func isInTime(_ row: ReferenceRow, _ rule: ReferenceRule) -> Bool {
        row.receivedAt - row.capturedAt <= rule.lateness * 1_000
    }

    private static func minute(_ time: Int) -> Int { Int((Double(time) / 60_000).rounded(.down)) }
}
