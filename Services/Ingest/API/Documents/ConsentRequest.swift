internal import Foundation
internal import IngestCommands
internal import IngestUploads

/// The body of `PUT /v1/me/consent`, checked: what is allowed from now on, in place of all that was allowed before.
struct ConsentRequest: Decodable {
    let consent: [String: Bool?]
    let policy_version: String
    let age_band: String?
    let guardian: Bool?

    /// Reads and checks a body.
    ///
    /// - Throws: ``DeviceAPIError`` 422 naming the field at fault.
    static func read(_ body: [UInt8]) throws(DeviceAPIError) -> ConsentRequest {
        let request = try DeviceBody.decode(ConsentRequest.self, from: body)
        try DeviceBody.check([("policy_version", request.policy_version)])
        try AgeBand.check(request.age_band, guardian: request.guardian)
        return request
    }

    func change(of device: UInt64, signedAt: Int64?) -> ConsentChange {
        ConsentChange(
            device: device, consent: Consent(named: consent), policyVersion: policy_version, ageBand: age_band,
            hasGuardian: guardian, signedAt: signedAt)
    }
}
