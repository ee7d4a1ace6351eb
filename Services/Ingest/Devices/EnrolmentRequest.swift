internal import Crypto
internal import Foundation

/// The body of `POST /v1/devices`, checked.
struct EnrolmentRequest: Decodable {
    let platform: String
    let app_version: String
    let consent: [String: Bool?]
    let policy_version: String
    let age_band: String?
    let guardian: Bool?
    let device_key: String?
    let activation_code: String?

    /// Reads and checks a body.
    ///
    /// - Throws: ``Problem`` 422 naming the field at fault.
    static func read(_ body: [UInt8]) throws(Problem) -> EnrolmentRequest {
        let request = try DeviceBody.decode(EnrolmentRequest.self, from: body)
        try request.check()
        return request
    }

    /// The purposes allowed; names that are not purposes are ignored.
    var purposes: Consent { Consent(named: consent) }

    /// The key's 65 bytes.
    var key: [UInt8]? {
        guard let device_key else { return nil }
        let plain = device_key.replacing("-", with: "+").replacing("_", with: "/")
        let padded = plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return Data(base64Encoded: padded).map { [UInt8]($0) }
    }

    private func check() throws(Problem) {
        try DeviceBody.check([
            ("platform", platform), ("app_version", app_version), ("policy_version", policy_version),
            ("age_band", age_band),
        ])
        if activation_code != nil {
            throw Problem(
                422, "activation_not_available", "Activation codes come with a later release; leave the field out",
                field: "activation_code")
        }
        try DeviceBody.checkGuardian(ageBand: age_band, guardian: guardian)
        guard device_key != nil else { return }
        guard let key, (try? P256.Signing.PublicKey(x963Representation: key)) != nil else {
            throw Problem(
                422, "bad_format", "device_key is a P-256 public key, uncompressed, in base64", field: "device_key")
        }
    }
}
