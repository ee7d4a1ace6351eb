internal import Hummingbird
internal import ServiceKit

/// `/v1/me/rewards`.
extension DeviceAPI {
    /// Tells a device what it was granted: from ingest's own copy, also while the dispatcher is away.
    func rewards(_ head: RequestHead) async throws -> Response {
        let device = try await device(of: head)
        let query = try RewardsQuery(limit: head.parameter("limit"), after: head.parameter("after"))
        let answer = try await looked { try await copies.rewards(of: device.ordinal, query, now: clock.now()) }
        return Self.response(200, answer.body, type: "application/json")
    }
}
