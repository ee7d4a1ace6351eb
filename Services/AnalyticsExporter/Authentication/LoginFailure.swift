/// Why a log-in was refused, as it is recorded (`FailedAuthentication`).
enum LoginFailure: String, Sendable {
    /// A log-in of the page with a token that is not known.
    case unknownToken = "unknown_token"
    /// A request with a Bearer token that is not known.
    case unknownBearer = "unknown_bearer"
    /// A request with another kind of `Authorization`.
    case notBearer = "not_bearer"
}
