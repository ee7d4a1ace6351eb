import Foundation
import Models
import QoE
import Testing

@Suite struct PromptPolicyTests {
    /// 9 October 2025, 12:00 in Douala (UTC+1).
    private static let noon: UnixMilliseconds = 1_760_007_600_000
    private static let minute: UnixMilliseconds = 60_000
    private static let hour: UnixMilliseconds = 3_600_000
    private let policy = PromptPolicy.builtIn(timeZone: "Africa/Douala")

    private func decide(
        _ occasion: PromptOccasion = .noService(seconds: 600), at time: UnixMilliseconds = noon,
        after past: [PastPrompt] = [], _ change: (inout PromptPolicy) -> Void = { _ in }
    ) -> PromptDecision {
        var policy = policy
        change(&policy)
        return policy.decide(occasion, at: time, after: past)
    }

    /// A prompt shown some minutes before noon.
    private func past(_ minutes: Int64, _ outcome: PromptOutcome?, _ rule: PromptRule = .callDrop) -> PastPrompt {
        PastPrompt(shownAt: Self.noon - minutes * Self.minute, rule: rule, outcome: outcome)
    }

    @Test func `call drops count within their time`() {
        let recent = Self.noon - 59 * Self.minute, old = Self.noon - 60 * Self.minute
        func two(_ policy: inout PromptPolicy) { policy.rules.callDrop?.drops = 2 }
        #expect(decide(.callDrops([Self.noon])) == .prompt(.callDrop))
        #expect(decide(.callDrops([Self.noon]), two) == .underThreshold)
        #expect(decide(.callDrops([old, Self.noon]), two) == .underThreshold)
        #expect(decide(.callDrops([recent, Self.noon]), two) == .prompt(.callDrop))
        #expect(decide(.callDrops([Self.noon])) { $0.rules.callDrop = nil } == .ruleIsOff)
    }

    @Test(
        arguments: [
            (399, 1_000, .prompt(.slowSpeed)), (400, 1_000, .underThreshold), (0, 0, .underThreshold),
            (255, nil, .prompt(.slowSpeed)), (256, nil, .underThreshold),
        ] as [(Int64, Int64?, PromptDecision)])
    func `a download is slow by the median of its cell, or by a figure where none is known`(
        kbps: Int64, median: Int64?, decision: PromptDecision
    ) {
        #expect(decide(.download(kbps: kbps, median: median)) == decision)
    }

    @Test func `without a median and a figure nobody asks about speed`() {
        let slow = PromptOccasion.download(kbps: 1, median: nil)
        #expect(decide(slow) { $0.rules.slowSpeed?.withoutMedianBelowKbps = nil } == .noMedian)
        #expect(decide(slow) { $0.rules.slowSpeed = nil } == .ruleIsOff)
    }

    @Test func `no service counts from its threshold on`() {
        #expect(decide(.noService(seconds: 59)) == .underThreshold)
        #expect(decide(.noService(seconds: 60)) == .prompt(.noService))
        #expect(decide { $0.rules.noService = nil } == .ruleIsOff)
    }

    @Test(arguments: PromptRule.allCases)
    func `an alarm has passed its own thresholds, and is an exception to nothing`(rule: PromptRule) {
        #expect(decide(.alarm(rule)) == .prompt(rule))
        #expect(decide(.alarm(rule), at: Self.noon + 10 * Self.hour) == .quietHours)
        #expect(decide(.alarm(rule)) { $0.dailyMaximum = 0 } == .dailyMaximum)
        #expect(decide(.alarm(rule), after: [past(59, .answered)]) == .pause(until: Self.noon + Self.minute))
        let off = decide(.alarm(rule)) { $0.rules = PromptPolicy.Rules() }
        #expect(off == (rule == .emergency ? .prompt(.emergency) : .ruleIsOff))
    }

    @Test func `quiet hours are local, pass midnight, and end on the minute`() {
        let quiet: [(Int64, Bool)] = [(9 * 60 - 1, false), (9 * 60, true), (19 * 60 - 1, true), (19 * 60, false)]
        for (minutes, isQuiet) in quiet {
            let decision = decide(at: Self.noon + minutes * Self.minute)
            #expect(decision == (isQuiet ? .quietHours : .prompt(.noService)), "\(minutes)")
        }
        func siesta(_ policy: inout PromptPolicy) { policy.quietHours = .init(from: "12:00", to: "13:00") }
        #expect(decide(at: Self.noon, siesta) == .quietHours)
        #expect(decide(at: Self.noon + Self.hour, siesta) == .prompt(.noService))
        // The same moment is 20:00 in Tokyo, an hour before the evening's quiet.
        let evening = Self.noon + Self.hour
        #expect(decide(at: evening) { $0.timeZone = "Asia/Tokyo" } == .quietHours)
        #expect(decide(at: Self.noon + 10 * Self.hour) { $0.quietHours = nil } == .prompt(.noService))
    }

    @Test func `after a prompt there is a pause, after unwanted ones a longer one each time, up to the longest`() {
        func until(_ minutes: Int64) -> PromptDecision { .pause(until: Self.noon + minutes * Self.minute) }
        #expect(decide(after: [past(59, .answered)]) == until(1))
        #expect(decide(after: [past(60, .answered)]) == .prompt(.noService))
        #expect(decide(after: [past(60, nil)]) == .prompt(.noService))
        #expect(decide(after: [past(60, .ignored)]) == until(180))
        #expect(decide(after: [past(240, .dismissed)]) == .prompt(.noService))
        let days = Int64(24 * 60)
        #expect(decide(after: [past(days * 3, .ignored), past(days, .dismissed)]) == .prompt(.noService))
        #expect(decide(after: [past(days * 3, .ignored), past(479, .dismissed)]) == until(1))
        let many = (0..<40).reversed().map { past(days + Int64($0), .ignored) }
        #expect(decide(after: many) == until(10_080 - days))
        #expect(decide(after: many + [past(60, .answered)]) == .prompt(.noService))
        #expect(decide(after: many) { $0.pause.factor = 1 } == .prompt(.noService))
    }

    @Test func `no day has more prompts than its maximum, and days are local`() {
        // 00:30 in Douala is still the day before in UTC.
        let early = PastPrompt(shownAt: Self.noon - 690 * Self.minute, rule: .callDrop, outcome: .answered)
        let today = [early, past(300, .answered), past(200, .answered)]
        #expect(decide(after: today) == .dailyMaximum)
        #expect(decide(after: Array(today.dropFirst())) == .prompt(.noService))
        #expect(decide(after: today) { $0.dailyMaximum = 4 } == .prompt(.noService))
        #expect(decide { $0.dailyMaximum = 0 } == .dailyMaximum)
    }

    @Test func `an emergency passes by everything, and counts for nothing, if the policy says so`() {
        let night = Self.noon + 10 * Self.hour
        let full = [past(30, .ignored), past(20, .ignored), past(10, .ignored)]
        #expect(decide(.emergency, at: night, after: full) == .prompt(.emergency))
        #expect(decide(after: [past(1, .ignored, .emergency)]) == .prompt(.noService))
        func strict(_ policy: inout PromptPolicy) { policy.emergencyBypass = false }
        #expect(decide(.emergency, at: night, strict) == .quietHours)
        #expect(decide(.emergency, after: full, strict) == .dailyMaximum)
        #expect(decide(after: [past(1, .answered, .emergency)], strict) == .pause(until: Self.noon + 59 * Self.minute))
    }

    @Test func `the built-in policy is sound but for its version, and has a name of its own`() throws {
        #expect(throws: PromptPolicy.Fault("version", "is not a whole number of 1…9007199254740992")) {
            try policy.check()
        }
        var published = policy
        published.version = 1
        try published.check()
        #expect(policy.name == "default-1" && published.name == "1")
        #expect(try JSONDecoder().decode(PromptPolicy.self, from: JSONEncoder().encode(published)) == published)
    }

    @Test func `what cannot be is named`() {
        func fault(_ change: (inout PromptPolicy) -> Void) -> String? {
            var policy = policy
            policy.version = 1
            change(&policy)
            do { try policy.check() } catch { return error.field }
            return nil
        }
        #expect(fault { _ in } == nil)
        #expect(fault { $0.dailyMaximum = 21 } == "daily_maximum")
        #expect(fault { $0.rules.callDrop?.drops = 0 } == "rules.call_drop.drops")
        #expect(fault { $0.rules.slowSpeed?.belowPercent = 101 } == "rules.slow_speed.below_percent")
        #expect(fault { $0.rules.noService?.afterSeconds = -1 } == "rules.no_service.after_seconds")
        #expect(fault { $0.pause.factor = 0 } == "pause.factor")
        #expect(fault { $0.pause.longestMinutes = 239 } == "pause.longest_minutes")
        #expect(fault { $0.timeZone = "Africa/Atlantis" } == "time_zone")
        for text in ["24:00", "7:00", "07-00", "07:60", "", "ab:cd", "07:0١"] {
            #expect(fault { $0.quietHours?.to = text } == "quiet_hours.to", "\(text)")
        }
        #expect(fault { $0.quietHours?.from = "07:00" } == "quiet_hours.to")
    }
}
