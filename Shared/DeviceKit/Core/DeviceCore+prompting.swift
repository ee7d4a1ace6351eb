internal import Models
internal import QoE

/// Whether the person is asked, and what became of it.
extension DeviceCore {
    /// Asks if the policy says so, and no question is open.
    mutating func ask(_ occasion: PromptOccasion, _ sim: SIMReading?, _ step: inout DeviceStep) {
        guard state.openPrompt == nil, let consent = state.consent,
            case .prompt(let rule) = policy.decide(occasion, at: wall, after: slow.prompts.compactMap(\.past))
        else { return }
        let prompt = Prompt(id: newKey(), rule: rule)
        let codes = sim.flatMap { state.simChoice.chosen([$0]).first?.reading }
        state.openPrompt = DeviceState.OpenPrompt(
            prompt: prompt, until: now + settings.promptSeconds * 1_000, mcc: codes?.mcc, mnc: codes?.mnc)
        slow.prompts.append(DeviceState.ShownPrompt(at: wall, rule: rule.rawValue))
        slow.prompts.removeFirst(max(0, slow.prompts.count - DeviceState.keptPrompts))
        today { $0.prompts += 1 }
        note(prompt, .shown, codes?.mcc, codes?.mnc, consent, &step)
        step.effects.append(.show(prompt))
    }

    /// A question that nobody has answered for long counts as ignored.
    mutating func planPrompt(_ step: inout DeviceStep) {
        guard let open = state.openPrompt, now >= open.until else { return }
        step.effects.append(.withdraw(open.prompt))
        end(open.prompt.id, .ignored, &step)
    }

    mutating func take(_ rating: Rating, _ step: inout DeviceStep) {
        guard isMeasuring, let consent = state.consent else { return }
        step.changes.append(.keep(.feedback(rating, state.simChoice, consent, at: now)))
        if let id = rating.promptID { end(id, .answered, &step) }
    }

    mutating func end(_ id: String, _ outcome: PromptOutcome, _ step: inout DeviceStep) {
        guard let open = state.openPrompt, open.prompt.id == id, let consent = state.consent else { return }
        state.openPrompt = nil
        if !slow.prompts.isEmpty { slow.prompts[slow.prompts.count - 1].outcome = outcome.rawValue }
        note(open.prompt, outcome, open.mcc, open.mnc, consent, &step)
    }

    private func note(
        _ prompt: Prompt, _ outcome: PromptOutcome, _ mcc: Int64?, _ mnc: Int64?, _ consent: ConsentChoice,
        _ step: inout DeviceStep
    ) {
        let codes = mcc.flatMap { mcc in mnc.map { (mcc: mcc, mnc: $0) } }
        let name = slow.policy?.policy_version ?? PromptPolicy.builtInName
        step.changes.append(.keep(.prompt(prompt, outcome, policy: name, codes, consent, at: now)))
    }
}
