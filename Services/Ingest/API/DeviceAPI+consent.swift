internal import IngestCommit
internal import IngestSupport
internal import IngestUploads
internal import NIOPosix

/// `/v1/me/consent`.
extension DeviceAPI {
    /// Tells what a device allows.
    func consent(_ call: DeviceCall) async throws(DeviceAPIError) -> Answer {
        let state: ConsentState?
        do { state = try await directory.consent(of: call.device!) } catch { throw lookUpFailed(error) }
        guard let state else { throw .unauthorized("nobody has this token") }
        return Answer(200, json: state.body)
    }

    /// Changes what a device allows; answered when it is on disk and holds for every later request. A signature is checked if
    /// there is one; whether there must be one is decided when it is committed.
    func changeConsent(_ call: DeviceCall) async throws(DeviceAPIError) -> Answer {
        let signedAt = call.head.isSigned ? try await checkSignature(of: call) : nil
        try call.head.requireJSON()
        let change = try ConsentRequest.read(call.bytes).change(of: call.device!.ordinal, signedAt: signedAt)
        switch await queue.ask(change) {
        case .success(let state):
            directory.replace(try call.head.token(), by: state.identity)
            return Answer(200, json: state.body)
        case .failure(let problem): throw failed(problem, call)
        }
    }
}
