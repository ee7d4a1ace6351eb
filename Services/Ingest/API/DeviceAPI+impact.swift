import IngestSupport
import IngestUploads

/// `/v1/me/impact`.
extension DeviceAPI {
    /// Tells a device which alarms its reports helped to raise, and what became of them: from ingest's own copy, also while the
    /// router is away.
    func impact(_ call: DeviceCall) async throws(Problem) -> Answer {
        let query = try PageQuery(call.head, digits: ImpactAlarm.nameDigits...ImpactAlarm.nameDigits)
        let answer: ImpactAnswer
        do {
            answer = try await copies.impact(of: call.device!.ordinal, query)
        } catch { throw lookUpFailed(error) }
        return Answer(200, json: answer.body)
    }
}
