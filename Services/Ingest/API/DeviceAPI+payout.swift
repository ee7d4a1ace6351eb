internal import IngestCommands
internal import IngestCommit
internal import IngestSupport
internal import IngestUploads
internal import Models
internal import ServiceKit

/// `/v1/me/payout`.
extension DeviceAPI {
    /// Takes the number to which rewards go: sealed here to the dispatcher's key, before it is handed to any other thread.
    func putPayout(_ call: DeviceCall) async throws(DeviceAPIError) -> Answer {
        let signedAt = try await checkSignature(of: call)
        try call.head.requireJSON()
        let number = try PayoutRequest.read(call.bytes, operators: operators)
        let device = call.device!
        guard device.consent.contains(.rewards) else { throw .noRewardsConsent }
        let change: PayoutChange
        do {
            guard let key = try await copies.payoutKey() else { throw DeviceAPIError.payoutKeyUnknown }
            change = try PayoutChange(number, of: device.ordinal, to: key, signedAt: signedAt)
        } catch let problem as DeviceAPIError { throw problem } catch { throw lookUpFailed(error) }
        switch await queue.ask(change) {
        case .success(let time): return Answer(200, json: Self.document(number, at: time))
        case .failure(.signatureReplayed):
            throw admission.failed(.oldSignature, from: call.address, else: .signatureReplayed)
        case .failure(let problem): throw problem
        }
    }

    /// Says the number back, all but its end covered.
    private static func document(_ number: PayoutNumber, at time: UnixMilliseconds) -> [UInt8] {
        var json = JSONWriter()
        json.raw("{\"phone\":\"\(number.masked)\",\"operator\":\"\(number.operator)\",")
        json.time("accepted_at", time)
        json.raw("}")
        return json.bytes
    }
}
