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

    /// Changes what a device allows; answered when it is on disk and holds for every later request.
    func changeConsent(_ call: DeviceCall) async throws(DeviceAPIError) -> Answer {
        try call.head.requireJSON()
        let change = try ConsentRequest.read(call.bytes).change(of: call.device!.ordinal)
        let state = try await queue.ask(change).get()
        directory.replace(try call.head.token(), by: state.identity)
        return Answer(200, json: state.body)
    }
}
