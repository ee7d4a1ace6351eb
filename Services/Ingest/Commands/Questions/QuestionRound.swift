internal import IngestSupport
package import IngestUploads
package import Models
package import QoE

/// What happened to an alarm, and which devices' reports helped to raise it.
package struct AlarmOccasion: Sendable, Equatable {
    /// The name by which subscribers know it.
    package var alarm: String
    package var rule: PromptRule
    package var moment: PushPromptDocument.Moment
    /// When it was raised, or over.
    package var at: UnixMilliseconds
    package var devices: [UInt64]

    package init(
        alarm: String, rule: PromptRule, moment: PushPromptDocument.Moment, at: UnixMilliseconds, devices: [UInt64]
    ) {
        self.alarm = alarm
        self.rule = rule
        self.moment = moment
        self.at = at
        self.devices = devices
    }
}

/// What becomes of a question of a device whose browser is asked; the raw value is a label of the metric.
package enum QuestionOutcome: String, Sendable, CaseIterable {
    /// It is on its way to the notifier.
    case asked
    /// The prompt policy says no.
    case ruleIsOff = "rule_is_off"
    case quietHours = "quiet_hours"
    case dailyMaximum = "daily_maximum"
    case pause
    /// The device was asked that of the alarm.
    case repeated
    /// It was known too late: a question that is late is none.
    case late
    /// As many were sent in this minute as may be.
    case perMinute = "per_minute"
    /// The requests lane, or the queue of commits, has no room.
    case full
    /// The device is revoked or erased, or was turned off meanwhile.
    case gone
    /// The commit failed, or what is needed could not be read.
    case failed
}

/// Asks devices about an alarm, as far as the prompt policy allows it: who is asked is told to the notifier.
package struct QuestionRound: Sendable {
    let occasion: AlarmOccasion
    /// Names of the questions, one for each device: random, so that they tell nothing of alarm or device.
    let prompts: [String]
    let policy: PromptPolicy
    /// Questions of all devices in a minute.
    let perMinute: Int

    package init(_ occasion: AlarmOccasion, prompts: [String], by policy: PromptPolicy, perMinute: Int) {
        self.occasion = occasion
        self.prompts = prompts
        self.policy = policy
        self.perMinute = perMinute
    }
}

extension QuestionRound: IngestCommand {
    package static var stage: CommandStage { .paying }

    /// Decides for each device and tells the lane.
    ///
    /// - Returns: what became of each question, in the order of the devices.
    package func apply(in commit: inout CommandCommit) throws -> Result<[QuestionOutcome], DeviceAPIError> {
        guard !commit.isFull else { return .failure(.full(.requests)) }
        var left = perMinute - (try commit.store.questions(since: commit.now - 60_000))
        var outcomes: [QuestionOutcome] = []
        for (device, prompt) in zip(occasion.devices, prompts) {
            var outcome = try decide(device, commit)
            if outcome == .asked, left <= 0 { outcome = .perMinute }
            if outcome == .asked {
                left -= 1
                try ask(device, prompt, in: &commit)
            }
            outcomes.append(outcome)
        }
        return .success(outcomes)
    }

    private func decide(_ device: UInt64, _ commit: CommandCommit) throws -> QuestionOutcome {
        let store = commit.store, now = commit.now
        guard now < occasion.at + PushPromptDocument.lifetime else { return .late }
        guard commit.gate.refusal(of: device) == nil, try store.pushSince(of: device) != nil,
            try store.isActive(Int64(device))
        else { return .gone }
        guard try !store.isAsked(device, occasion.moment, of: occasion.alarm) else { return .repeated }
        let past = try store.prompts(of: device, since: now - IngestStore.promptsKept)
        return switch policy.decide(.alarm(occasion.rule), at: now, after: past) {
        case .prompt: .asked
        case .ruleIsOff, .underThreshold, .noMedian: .ruleIsOff
        case .quietHours: .quietHours
        case .dailyMaximum: .dailyMaximum
        case .pause: .pause
        }
    }

    private func ask(_ device: UInt64, _ prompt: String, in commit: inout CommandCommit) throws {
        try commit.store.note(
            prompt, to: device, occasion.rule, occasion.moment, of: occasion.alarm, at: commit.now)
        try commit.tell(
            .pushPrompt, of: device,
            PushPromptDocument(
                prompt: prompt, rule: occasion.rule.name, moment: occasion.moment, topic: occasion.alarm,
                policyVersion: policy.name, askedAt: commit.now))
    }
}
