internal import IngestCommands
internal import IngestCommit
internal import IngestSupport
internal import IngestUploads
internal import Models
internal import ServiceKit

/// `/v1/me/rewards`.
extension DeviceAPI {
    /// Tells a device what it was granted: from ingest's own copy, also while the dispatcher is away.
    func rewards(_ call: DeviceCall) async throws(DeviceAPIError) -> Answer {
        let query = try PageQuery(call.head, digits: RewardsAnswer.grantDigits)
        let answer: RewardsAnswer
        do {
            answer = try await copies.rewards(of: call.device!.ordinal, query, now: clock.now())
        } catch { throw lookUpFailed(error) }
        return Answer(200, json: answer.body)
    }
}

/// `/v1/me/impact`.
extension DeviceAPI {
    /// Tells a device which alarms its reports helped to raise, and what became of them: from ingest's own copy, also while the
    /// router is away.
    func impact(_ call: DeviceCall) async throws(DeviceAPIError) -> Answer {
        let query = try PageQuery(call.head, digits: ImpactAlarm.nameDigits...ImpactAlarm.nameDigits)
        let answer: ImpactAnswer
        do {
            answer = try await copies.impact(of: call.device!.ordinal, query)
        } catch { throw lookUpFailed(error) }
        return Answer(200, json: answer.body)
    }
}

/// `/v1/me/progress`.
extension DeviceAPI {
    /// Tells a device its streaks, goals and badges: from ingest's own copy, also while the dispatcher is away.
    func progress(_ call: DeviceCall) async throws(DeviceAPIError) -> Answer {
        let answer: ProgressAnswer
        do {
            answer = try await copies.progress(of: call.device!.ordinal, now: clock.now())
        } catch { throw lookUpFailed(error) }
        return Answer(200, json: answer.body)
    }
}

/// `/v1/me/nickname` and `/v1/standings`.
extension DeviceAPI {
    /// Takes the name under which a subscriber is shown to others, or withdraws it.
    func putNickname(_ call: DeviceCall) async throws(DeviceAPIError) -> Answer {
        try call.head.requireJSON()
        let nickname = try NicknameRequest.read(call.bytes), device = call.device!
        guard nickname == nil || device.consent.contains(.standings) else { throw .noStandingsConsent }
        try await queue.ask(NicknameChange(nickname, of: device.ordinal)).get()
        var json = JSONWriter()
        json.raw("{\"nickname\":")
        if let nickname { json.string(nickname) } else { json.raw("null") }
        json.raw("}")
        return Answer(200, json: json.bytes)
    }

    /// Tells a device where it stands, with who is next to it: from ingest's own copy, also while the dispatcher is away.
    func standings(_ call: DeviceCall) async throws(DeviceAPIError) -> Answer {
        let answer: StandingsAnswer
        do {
            answer = try await copies.standings(of: call.device!.ordinal, now: clock.now())
        } catch { throw lookUpFailed(error) }
        return Answer(200, json: answer.body)
    }
}
