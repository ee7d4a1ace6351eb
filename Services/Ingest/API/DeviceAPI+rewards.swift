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
