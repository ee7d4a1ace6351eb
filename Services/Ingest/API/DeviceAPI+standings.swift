internal import IngestCommands
internal import IngestCommit
internal import IngestSupport
internal import IngestUploads
internal import Models
internal import ServiceKit

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
