internal import Models
internal import QoE

/// What the phone saw, and what happened.
extension DeviceCore {
    /// Asks for a sample if one is due.
    mutating func planSample(_ step: inout DeviceStep) {
        if let since = samplingSince, now - since > Self.patience { samplingSince = nil }
        guard isMeasuring, !state.awaitsService, let conditions, let consent = state.consent, samplingSince == nil,
            now >= state.nextSample
        else { return }
        guard let interval = sampling.interval(conditions) else {
            state.nextSample = now + sampling.stillMilliseconds
            return
        }
        state.nextSample = now + interval
        samplingSince = now
        var request = SampleRequest(isPlacePrecise: consent.isPlacePrecise, testBytes: 0)
        if sampling.testSeconds > 0, now >= state.nextTest {
            request.testBytes = settings.quota.testBytes(sampling, conditions, today: ledger)
            if request.testBytes > 0 { state.nextTest = now + sampling.testSeconds * 1_000 }
        }
        step.effects.append(.sample(request))
    }

    mutating func take(_ sample: Sample, _ path: NetworkPath, _ step: inout DeviceStep) {
        samplingSince = nil
        // Consent may have gone while the platform looked.
        guard isMeasuring, let consent = state.consent else { return }
        today { day in
            day.samples += 1
            switch (sample.place?.source, consent.isPlacePrecise) {
            case (.gps, _): day.preciseFixes += 1
            case (.some, _): day.coarseFixes += 1
            case (nil, _): break
            }
        }
        see(sample.sims)
        if let speed = sample.speed { account(speed, path) }
        step.changes += RecordDraft.reports(sample, state.simChoice, path, consent, at: now).map(QueueChange.keep)
        guard let kbps = sample.speed?.downloadKbps, path == .mobile else { return }
        let sim = sample.sims.first { $0.carriesData }
        let card = sim.flatMap { state.simChoice.chosen([$0]).first?.reading }
        let median = slow.policy?.median(at: sample.place, of: PLMN(mcc: card?.mcc, mnc: card?.mnc))
        ask(.download(kbps: kbps, median: median), sim, &step)
    }

    mutating func take(_ occurrence: Occurrence, _ step: inout DeviceStep) {
        guard isMeasuring, let consent = state.consent else { return }
        guard let draft = RecordDraft.report(occurrence, state.simChoice, consent, at: now) else { return }
        step.changes.append(.keep(draft))
        switch occurrence.event {
        case .callDrop:
            state.callDrops = Array((state.callDrops + [wall]).suffix(DeviceState.keptDrops))
            ask(.callDrops(state.callDrops), occurrence.sim, &step)
        case .noService: ask(.noService(seconds: occurrence.seconds), occurrence.sim, &step)
        case .emergency: ask(.emergency, occurrence.sim, &step)
        case .callSetupFailure, .slowData: break
        }
    }
}
