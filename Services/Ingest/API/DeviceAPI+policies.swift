internal import IngestSupport
internal import IngestUploads
internal import Models
internal import QoE
internal import ServiceKit

/// `/v1/me/prompt-policy` and `/v1/me/sampling-policy`.
extension DeviceAPI {
    /// Tells a phone when to ask its subscriber; 304 to one that has it already.
    func promptPolicy(_ call: DeviceCall) async throws(DeviceAPIError) -> Answer {
        let query = try MedianQuery(call.head)
        let body: [UInt8]
        do {
            let (policy, medians) = try await copies.promptPolicy(query, now: clock.now())
            body = try PromptPolicyAnswer(policy, medians).body
        } catch { throw lookUpFailed(error) }
        return Self.policy(body, for: call)
    }

    /// Tells a phone how often to measure; 304 to one that knows it.
    func samplingPolicy(_ call: DeviceCall) throws(DeviceAPIError) -> Answer {
        let body: [UInt8]
        do { body = try SortedJSON.bytes(of: sampling) } catch { throw lookUpFailed(error) }
        return Self.policy(body, for: call)
    }

    private static func policy(_ body: [UInt8], for call: DeviceCall) -> Answer {
        Answer(body, tag: PromptPolicyAnswer.tag(of: body), caching: PromptPolicyAnswer.caching, for: call.head)
    }
}

extension MedianQuery {
    /// Reads `plmn` and `near` of a request.
    init(_ head: RequestHead) throws(DeviceAPIError) {
        self.init()
        if let text = head.parameter("plmn") {
            let words = text.split(separator: ",", omittingEmptySubsequences: false)
            networks = words.compactMap { PLMN(text: String($0)) }
            guard networks.count == words.count, (1...Self.mostNetworks).contains(networks.count) else {
                throw DeviceAPIError(.badNetwork, field: "plmn")
            }
        }
        guard let text = head.parameter("near") else { return }
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        near = words.compactMap { Quadkey(text: String($0)) }.filter { Self.levels.contains($0.level) }
        guard near.count == words.count, (1...Self.mostCells).contains(near.count) else {
            throw DeviceAPIError(.badPlace, field: "near")
        }
    }
}
