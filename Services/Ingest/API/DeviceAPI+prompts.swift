import IngestSupport
import IngestUploads

/// `/v1/me/prompt-policy`.
extension DeviceAPI {
    /// Tells a phone when to ask its subscriber; 304 to one that has it already.
    func promptPolicy(_ call: DeviceCall) async throws(Problem) -> Answer {
        let body: [UInt8]
        do {
            body = try PromptPolicyAnswer(try await copies.promptPolicy()).body
        } catch { throw lookUpFailed(error) }
        return Answer(
            body, tag: PromptPolicyAnswer.tag(of: body), caching: PromptPolicyAnswer.caching, for: call.head)
    }
}
