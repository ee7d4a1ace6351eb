/// Every reason for which the device API refuses a request; the raw value is the stable `code` of the problem document.
///
/// What each means and what a client does about it stands in ``entry``; `docs/errors.md` and the OpenAPI document are
/// made of that.
public enum ProblemCode: String, Sendable, CaseIterable {
    // The request as HTTP.
    case malformedRequest = "malformed_request"
    case badSentAt = "bad_sent_at"
    case badIdempotencyKey = "bad_idempotency_key"
    case badReceipts = "bad_receipts"
    case badLimit = "bad_limit"
    case badCursor = "bad_cursor"
    case badNetwork = "bad_network"
    case badPlace = "bad_place"
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case tooSlow = "too_slow"
    case uriTooLong = "uri_too_long"
    case headerTooLarge = "header_too_large"
    case unknownMethod = "unknown_method"
    case upgradeRequired = "upgrade_required"
    case badUpgrade = "bad_upgrade"
    case originNotAllowed = "origin_not_allowed"

    // Who asks, and what the subscriber allows.
    case unauthorized
    case noMeasurementConsent = "no_measurement_consent"
    case guardianRequired = "guardian_required"
    case activationRequired = "activation_required"
    case activationNotAvailable = "activation_not_available"
    case activationCodeInvalid = "activation_code_invalid"
    case signatureRequired = "signature_required"
    case signatureInvalid = "signature_invalid"
    case signatureExpired = "signature_expired"
    case signatureReplayed = "signature_replayed"
    case passkeyRequired = "passkey_required"
    case passkeyInvalid = "passkey_invalid"
    case noRewardsConsent = "no_rewards_consent"
    case noStandingsConsent = "no_standings_consent"
    case deviceErased = "device_erased"
    case dataExpired = "data_expired"
    case rateLimited = "rate_limited"

    // The body.
    case bodyTooLarge = "body_too_large"
    case inflatedTooLarge = "inflated_too_large"
    case tooManyRows = "too_many_rows"
    case unsupportedType = "unsupported_type"
    case unsupportedEncoding = "unsupported_encoding"
    case brokenCompression = "broken_compression"
    case emptyBody = "empty_body"
    case nothingReadable = "nothing_readable"
    case noCSVHeader = "no_csv_header"
    case duplicateColumn = "duplicate_column"
    case malformed
    case notAnObject = "not_an_object"
    case missingField = "missing_field"
    case wrongType = "wrong_type"
    case outOfRange = "out_of_range"
    case badFormat = "bad_format"

    // The service.
    case busy
    case journalFull = "journal_full"
    case diskFull = "disk_full"
    case storageFailed = "storage_failed"
    case stopping
    case outOfMemory = "out_of_memory"
    case payoutKeyUnknown = "payout_key_unknown"
    case pushKeyUnknown = "push_key_unknown"
}
