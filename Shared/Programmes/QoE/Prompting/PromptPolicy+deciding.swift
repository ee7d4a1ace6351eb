internal import Foundation
public import Models

/// What a policy means: the reference that phones follow. Pure; `docs/prompting.md` has it as a table.
extension PromptPolicy {
    /// Whether to ask about something that happened now.
    ///
    /// - Parameters:
    ///   - time: now, Unix milliseconds.
    ///   - past: prompts that the phone has shown, the oldest first; those of 31 days are enough.
    public func decide(_ occasion: PromptOccasion, at time: UnixMilliseconds, after past: [PastPrompt])
        -> PromptDecision
    {
        if let refusal = threshold(occasion, time) { return refusal }
        if occasion == .emergency, emergencyBypass { return .prompt(.emergency) }
        let counted = past.filter { !(emergencyBypass && $0.rule == .emergency) }
        let zone = TimeZone(identifier: timeZone) ?? .gmt
        if isQuiet(time, zone) { return .quietHours }
        let today = CivilDay.number(of: time, in: zone)
        let ofToday = counted.count { CivilDay.number(of: $0.shownAt, in: zone) == today }
        guard ofToday < dailyMaximum else { return .dailyMaximum }
        if let last = counted.last, last.shownAt + pause(after: counted) > time {
            return .pause(until: last.shownAt + pause(after: counted))
        }
        return .prompt(occasion.rule)
    }

    /// Why what happened is no reason to ask; nil if it is one.
    private func threshold(_ occasion: PromptOccasion, _ now: UnixMilliseconds) -> PromptDecision? {
        switch occasion {
        case .callDrops(let times):
            guard let rule = rules.callDrop else { return .ruleIsOff }
            let since = now - rule.withinMinutes * 60_000
            return times.count { $0 > since && $0 <= now } >= rule.drops ? nil : .underThreshold
        case .download(let kbps, let median):
            guard let rule = rules.slowSpeed else { return .ruleIsOff }
            if let median { return kbps * 100 < median * rule.belowPercent ? nil : .underThreshold }
            guard let least = rule.withoutMedianBelowKbps else { return .noMedian }
            return kbps < least ? nil : .underThreshold
        case .noService(let seconds):
            guard let rule = rules.noService else { return .ruleIsOff }
            return seconds >= rule.afterSeconds ? nil : .underThreshold
        case .emergency: return nil
        case .alarm(let rule): return has(rule) ? nil : .ruleIsOff
        }
    }

    private func has(_ rule: PromptRule) -> Bool {
        switch rule {
        case .callDrop: rules.callDrop != nil
        case .slowSpeed: rules.slowSpeed != nil
        case .noService: rules.noService != nil
        case .emergency: true
        }
    }

    /// Milliseconds to wait after the last of some prompts: longer with each in a row that nobody wanted.
    func pause(after past: [PastPrompt]) -> UnixMilliseconds {
        let unwanted = past.reversed().prefix { $0.isUnwanted }.count
        guard unwanted > 0 else { return pause.betweenMinutes * 60_000 }
        var minutes = pause.afterIgnoredMinutes
        for _ in 1..<unwanted {
            minutes *= pause.factor
            if minutes >= pause.longestMinutes { break }
        }
        return max(min(minutes, pause.longestMinutes), pause.betweenMinutes) * 60_000
    }

    private func isQuiet(_ time: UnixMilliseconds, _ zone: TimeZone) -> Bool {
        guard let quietHours, let from = Self.minute(quietHours.from), let to = Self.minute(quietHours.to) else {
            return false
        }
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time) / 1_000))
        let local = time + Int64(offset) * 1_000
        let minute = ((local % 86_400_000 + 86_400_000) % 86_400_000) / 60_000
        return from < to ? (from..<to).contains(minute) : minute >= from || minute < to
    }
}

/// Whether a phone asks now, and if not, why.
public enum PromptDecision: Sendable, Equatable {
    case prompt(PromptRule)
    /// The policy does not have the rule.
    case ruleIsOff
    /// What happened is not bad enough.
    case underThreshold
    /// Nobody knows what is usual at the place, and the policy does not say what to do then.
    case noMedian
    case quietHours
    case dailyMaximum
    /// Not before this time.
    case pause(until: UnixMilliseconds)
}

/// Which threshold of the prompt policy made a phone ask; the raw value is what columns store.
public enum PromptRule: Int64, Sendable, CaseIterable {
    case callDrop = 0, slowSpeed, noService, emergency

    /// Name in the device API.
    public var name: String {
        switch self {
        case .callDrop: "call_drop"
        case .slowSpeed: "slow_speed"
        case .noService: "no_service"
        case .emergency: "emergency"
        }
    }
}
