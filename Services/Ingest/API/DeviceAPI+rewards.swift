internal import IngestSupport
internal import IngestUploads
internal import ServiceKit

/// `/v1/me/rewards`.
extension DeviceAPI {
    /// Tells a device what it was granted: from ingest's own copy, also while the dispatcher is away.
    func rewards(_ call: DeviceCall) async throws(Problem) -> Answer {
        let query = try PageQuery(call.head, digits: RewardsAnswer.grantDigits)
        let answer: RewardsAnswer
        do {
            answer = try await copies.rewards(of: call.device!.ordinal, query, now: clock.now())
        } catch { throw lookUpFailed(error) }
        return Answer(200, json: answer.body)
    }
}
