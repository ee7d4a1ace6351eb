/// Why a device or a stranger was not believed, as it is recorded (`FailedAuthentication`).
package enum AuthenticationFailure: String, Sendable {
    /// No `Authorization` where one is needed.
    case noToken = "no_token"
    /// An `Authorization` that is no Bearer token.
    case notBearer = "not_bearer"
    /// A Bearer token that nobody has.
    case unknownToken = "unknown_token"
    /// An activation code that does not exist, or can no longer be used.
    case badCode = "bad_code"
    /// A call that needs a signature came without one.
    case noSignature = "no_signature"
    /// A signature that is not that of the device's key.
    case badSignature = "bad_signature"
    /// A signature that is too old or was used before.
    case oldSignature = "old_signature"
}
