internal import QoE

extension RecordDraft {
    /// The reports of a sample: one for each SIM card that is chosen, and one for the Wi-Fi or cable if that was tested.
    static func reports(
        _ sample: Sample, _ choice: SIMChoice, _ path: NetworkPath, _ consent: ConsentChoice, at time: Int64
    )
        -> [RecordDraft]
    {
        var drafts = choice.chosen(sample.sims).map { sim in
            let speed = path == .mobile && sim.reading.carriesData ? sample.speed : nil
            return report(sim, place: sample.place, speed: speed, consent, at: time)
        }
        if let speed = sample.speed, path == .wifi || path == .cable {
            var members = MemberWriter()
            members.add("network_type", (path == .wifi ? NetworkType.wifi : .ethernet).name)
            members.add(sample.place, consent)
            members.add(speed)
            drafts.append(RecordDraft(kind: .report, isUrgent: false, at: time, members: members.bytes))
        }
        return drafts
    }

    private static func report(
        _ sim: ChosenSIM, place: PlaceReading?, speed: SpeedReading?, _ consent: ConsentChoice, at time: Int64
    ) -> RecordDraft {
        var members = MemberWriter()
        members.add(sim)
        members.add(place, consent)
        members.add(speed)
        return RecordDraft(kind: .report, isUrgent: false, at: time, members: members.bytes)
    }

    /// The report of something that happened; nil if the person does not allow that it is told. Emergencies never ask.
    static func report(
        _ occurrence: Occurrence, _ choice: SIMChoice, _ consent: ConsentChoice, at time: Int64
    ) -> RecordDraft? {
        guard occurrence.event == .emergency || consent.allows("call_events") else { return nil }
        var members = MemberWriter()
        if let sim = occurrence.sim, let chosen = choice.chosen([sim]).first { members.add(chosen) }
        members.add(occurrence.place, consent)
        members.add("event", occurrence.event.name)
        let isUrgent = [NetworkEvent.callDrop, .noService, .emergency].contains(occurrence.event)
        return RecordDraft(kind: .report, isUrgent: isUrgent, at: time, members: members.bytes)
    }

    /// What a person said.
    static func feedback(_ rating: Rating, _ choice: SIMChoice, _ consent: ConsentChoice, at time: Int64) -> RecordDraft
    {
        var members = MemberWriter()
        members.add("rating", Int64(rating.stars))
        members.add("comment", rating.comment)
        members.add("trigger", rating.isEmergency ? "emergency" : rating.promptID == nil ? "voluntary" : "prompt")
        members.add("prompt_id", rating.promptID)
        if let sim = rating.sim, let chosen = choice.chosen([sim]).first { members.add(chosen) }
        members.add(rating.place, consent)
        return RecordDraft(
            kind: .feedback, isUrgent: rating.isEmergency || rating.stars <= 2, at: time, members: members.bytes)
    }

    /// What became of a prompt.
    ///
    /// - Parameter policy: how it names itself.
    static func prompt(
        _ prompt: Prompt, _ outcome: PromptOutcome, policy: String, _ operatorCodes: (mcc: Int64, mnc: Int64)?,
        _ consent: ConsentChoice, at time: Int64
    ) -> RecordDraft {
        var members = MemberWriter()
        members.add("prompt_id", prompt.id)
        members.add("outcome", outcome.name)
        members.add("policy_version", policy)
        if prompt.rule == .emergency || consent.allows("call_events") { members.add("rule", prompt.rule.name) }
        members.add("mcc", operatorCodes?.mcc)
        members.add("mnc", operatorCodes?.mnc)
        return RecordDraft(kind: .prompt, isUrgent: false, at: time, members: members.bytes)
    }
}
