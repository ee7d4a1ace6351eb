internal import IngestSupport
internal import IngestUploads
internal import ServiceKit

extension DeviceAPI {
    /// The gate of calls that move money or lives: payout, data, erasure. A device without a key passes.
    ///
    /// - Returns: when the call was signed, Unix seconds; nil if the device has no key.
    /// - Throws: ``DeviceAPIError`` 403, see ``SignatureGate``; 429 if that address fails too often; 503 if the key cannot be looked up.
    @discardableResult
    func checkSignature(of call: DeviceCall) async throws(DeviceAPIError) -> Int64? {
        let key: [UInt8]?
        do { key = try await directory.key(of: call.device!) } catch { throw lookUpFailed(error) }
        guard let key else { return nil }
        do {
            return try SignatureGate(key: key).check(call.head, call.bytes, now: clock.now())
        } catch { throw admission.failed(AuthenticationFailure(error), from: call.address, else: error) }
    }

    /// Counts what was refused for want of proof.
    func failed(_ problem: DeviceAPIError, _ call: DeviceCall) -> DeviceAPIError {
        switch problem.reason {
        case .passkeyRequired, .passkeyInvalid, .signatureReplayed, .signatureRequired:
            admission.failed(AuthenticationFailure(problem), from: call.address, else: problem)
        default: problem
        }
    }
}

extension AuthenticationFailure {
    /// What a signature was refused for.
    init(_ problem: DeviceAPIError) {
        switch problem.code {
        case ProblemCode.signatureRequired.rawValue, ProblemCode.passkeyRequired.rawValue: self = .noSignature
        case ProblemCode.signatureExpired.rawValue, ProblemCode.signatureReplayed.rawValue: self = .oldSignature
        default: self = .badSignature
        }
    }
}
