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

/// `/v1/me/prompt-policy`.
extension DeviceAPI {
    /// Tells a phone when to ask its subscriber; 304 to one that has it already.
    func promptPolicy(_ call: DeviceCall) async throws(DeviceAPIError) -> Answer {
        let query = try MedianQuery(call.head)
        let body: [UInt8]
        do {
            let (policy, medians) = try await copies.promptPolicy(query, now: clock.now())
            body = try PromptPolicyAnswer(policy, medians).body
        } catch { throw lookUpFailed(error) }
        return Answer(
            body, tag: PromptPolicyAnswer.tag(of: body), caching: PromptPolicyAnswer.caching, for: call.head)
    }
}

extension MedianQuery {
    /// Reads `plmn` and `near` of a request.
    init(_ head: RequestHead) throws(DeviceAPIError) {
        self.init()
        if let text = head.parameter("plmn") {
            guard let network = PLMN(text: String(text)) else { throw DeviceAPIError(.badNetwork, field: "plmn") }
            self.network = network
        }
        guard let text = head.parameter("near") else { return }
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        near = words.compactMap { Quadkey(text: String($0)) }.filter { Self.levels.contains($0.level) }
        guard near.count == words.count, (1...Self.mostCells).contains(near.count) else {
            throw DeviceAPIError(.badPlace, field: "near")
        }
    }
}
