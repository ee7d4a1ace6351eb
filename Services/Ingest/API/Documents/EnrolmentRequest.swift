import IngestUploads

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
    /// - Throws: ``DeviceAPIError`` 422 naming the field at fault.
    static func read(_ body: [UInt8]) throws(DeviceAPIError) -> EnrolmentRequest {
        let request = try DeviceBody.decode(EnrolmentRequest.self, from: body)
        try request.check()
        return request
    }

    /// The purposes allowed; names that are not purposes are ignored.
    var purposes: Consent { Consent(named: consent) }

    /// The key in X9.63 form, 65 bytes.
    var key: [UInt8]? { device_key.flatMap(DeviceKey.read) }

    private func check() throws(DeviceAPIError) {
        try DeviceBody.check([
            ("platform", platform), ("app_version", app_version), ("policy_version", policy_version),
        ])
        try AgeBand.check(age_band, guardian: guardian)
        guard device_key == nil || key != nil else {
            throw DeviceAPIError(
                .badFormat,
                "a P-256 public key in base64: an uncompressed point (X9.63) or a SubjectPublicKeyInfo (DER)",
                field: "device_key")
        }
    }
}
