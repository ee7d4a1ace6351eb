/// What an enrolment's activation code means here: `NKUL_INGEST_ACTIVATION`.
public enum ActivationPolicy: String, Sendable, CaseIterable {
    /// Codes are not taken.
    case off
    /// Anybody may enrol; who brings a code uses it up.
    case optional
    /// Nobody enrols without one.
    case required

    /// Checks what an enrolment brought, before anything is looked up.
    ///
    /// - Returns: the code, nil if there is none.
    /// - Throws: ``DeviceAPIError`` 403 `activation_required`; 422 `activation_not_available`, `bad_format`.
    package func code(_ text: String?) throws(DeviceAPIError) -> ActivationCode? {
        guard let text else {
            if self == .required { throw .activationRequired }
            return nil
        }
        guard self != .off else { throw .activationNotAvailable }
        guard let code = ActivationCode(text: text) else { throw .activationMistyped }
        return code
    }
}

extension DeviceAPIError {
    static let activationRequired = DeviceAPIError(.activationRequired, field: "activation_code")
    static let activationNotAvailable = DeviceAPIError(.activationNotAvailable, field: "activation_code")
    static let activationMistyped = DeviceAPIError(
        .badFormat, "a code has 16 letters and digits, the last of which checks the others", field: "activation_code")
    /// Never there, used, expired or revoked: who guesses learns nothing from it.
    package static let activationInvalid = DeviceAPIError(.activationCodeInvalid, field: "activation_code")
}
