/// What is due.
extension DeviceCore {
    /// What is to be done now, by what the queue holds; ends with when to be woken, unless the queue changes first.
    mutating func plan(_ facts: QueueFacts) -> DeviceStep {
        var step = DeviceStep()
        guard state.end == nil, state.consent != nil else { return step }
        for (task, call) in open where now - call.since > Self.patience { open[task] = nil }
        planPrompt(&step)
        planLimits(facts, &step)
        planSample(&step)
        if step.changes.isEmpty { planCalls(facts, &step) }
        if step.changes.isEmpty { step.effects.append(.wake(after: max(1, nextMoment(facts) - now))) }
        return step
    }

    /// What is too old, and what is too much.
    private func planLimits(_ facts: QueueFacts, _ step: inout DeviceStep) {
        let limit = now - settings.keptMilliseconds
        let oldest = [facts.urgent.oldest, facts.ordinary.oldest].compactMap(\.self)
        // An upload on its way is waited for: its answer may be a receipt.
        let uploads = facts.pending.filter { open[Self.task($0.key)] == nil }.map(\.value.newest)
        if (oldest + uploads).contains(where: { $0 < limit }) { step.changes.append(.expire(before: limit)) }
        if facts.waitingBytes > settings.queueBytes { step.changes.append(.trim(toBytes: settings.queueBytes)) }
    }

    private mutating func planCalls(_ facts: QueueFacts, _ step: inout DeviceStep) {
        guard let conditions, conditions.path != .none, now >= state.notBefore else { return }
        guard state.token != nil else { return enrol(&step) }
        guard state.heardConsent == state.consentVersion else { return tellConsent(&step) }
        guard maySend else { return }
        for slot in UploadSlot.allCases { planUpload(slot, facts, conditions, &step) }
        planPolicies(&step)
    }

    private mutating func planUpload(
        _ slot: UploadSlot, _ facts: QueueFacts, _ conditions: Conditions, _ step: inout DeviceStep
    ) {
        guard isDue(slot, facts, conditions) else { return }
        if let pending = facts.pending[slot] {
            send(pending, in: slot, &step)
        } else {
            let rows = min(slot == .urgent ? 50 : settings.uploadRows, state.mostRows ?? .max)
            step.changes.append(
                .form(
                    UploadOrder(
                        slot: slot, key: newKey(), shift: state.clock.shift, rows: max(1, rows),
                        bytes: settings.uploadBytes)))
        }
    }

    /// Whether the service knows the phone, and what the person allows.
    private var maySend: Bool {
        isMeasuring && state.token != nil && state.heardConsent == state.consentVersion && open[.consent] == nil
    }

    static func task(_ slot: UploadSlot) -> DeviceState.Task { slot == .urgent ? .urgent : .bulk }

    /// Whether a task may be tried now.
    func isFree(_ task: DeviceState.Task) -> Bool {
        open[task] == nil && now >= state.retries[task]?.until ?? 0
    }

    private func isDue(_ slot: UploadSlot, _ facts: QueueFacts, _ conditions: Conditions) -> Bool {
        guard isFree(Self.task(slot)), facts.pending[slot] != nil || facts.waiting(slot).count > 0 else { return false }
        guard slot == .bulk else { return true }
        guard !sampling.isExhausted(conditions.battery),
            settings.quota.allowsUploads(conditions, today: ledger)
        else { return false }
        return facts.pending[slot] != nil || now >= state.nextBulk ?? firstBulk(facts)
    }

    /// When to upload first, before the service has said anything: not at once, as more is to come.
    private func firstBulk(_ facts: QueueFacts) -> Int64 {
        (facts.ordinary.oldest ?? now) + settings.uploadSeconds * 1_000
    }

    /// The next moment at which something is due, steady milliseconds.
    private func nextMoment(_ facts: QueueFacts) -> Int64 {
        var moments: [Int64] = [now + Self.patience * 12]
        if isMeasuring, !state.awaitsService {
            moments.append(max(state.nextSample, samplingSince.map { $0 + Self.patience + 1 } ?? 0))
        }
        if let prompt = state.openPrompt { moments.append(prompt.until) }
        if let conditions, conditions.path != .none {
            for task in DeviceState.Task.allCases where isWaiting(task, facts, conditions) {
                var moment = max(state.notBefore, state.retries[task]?.until ?? 0)
                if task == .bulk, facts.pending[.bulk] == nil {
                    moment = max(moment, state.nextBulk ?? firstBulk(facts))
                }
                moments.append(moment)
            }
        }
        return max(now + 1, moments.min() ?? now)
    }

    /// Whether something waits for the moment at which a task may be tried.
    private func isWaiting(_ task: DeviceState.Task, _ facts: QueueFacts, _ conditions: Conditions) -> Bool {
        guard open[task] == nil else { return false }
        switch task {
        case .enrolment: return state.token == nil && isMeasuring
        case .consent: return state.token != nil && state.heardConsent != state.consentVersion
        // They go with something else.
        case .policy, .sampling: return false
        case .urgent: return maySend && (facts.pending[.urgent] != nil || facts.urgent.count > 0)
        case .bulk:
            return maySend && (facts.pending[.bulk] != nil || facts.ordinary.count > 0)
                && !sampling.isExhausted(conditions.battery)
                && settings.quota.allowsUploads(conditions, today: ledger)
        }
    }
}
