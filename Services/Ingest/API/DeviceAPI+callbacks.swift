internal import Crypto
internal import IngestCommands
internal import IngestCommit
internal import IngestSupport
internal import IngestUploads
internal import Models
internal import ServiceKit

/// `/v1/callbacks/{provider}/{secret}`: providers of rewards call back.
extension DeviceAPI {
    /// Takes which order a provider calls about, if it knows its secret: the dispatcher asks the provider then. What the call says
    /// besides is neither believed nor kept.
    func callback(_ call: DeviceCall) async throws(DeviceAPIError) -> Answer {
        let provider = call.head.provider
        let known: CallbackSecretDocument?
        do { known = try await copies.callbackSecret(of: provider) } catch { throw lookUpFailed(error) }
        let hash = Hexadecimal.text(SHA256.hash(data: Array(call.head.lastPart.utf8)))
        guard let known, known.sha256 == hash else {
            throw admission.failed(.badCallback, from: call.address, else: DeviceAPIError(.notFound))
        }
        try call.head.requireUncompressed()
        let change = CallbackChange(try CallbackBody.read(call.bytes, of: provider))
        var json = JSONWriter()
        json.raw("{")
        json.time("accepted_at", try await queue.ask(change).get())
        json.raw("}")
        return Answer(200, json: json.bytes)
    }
}
