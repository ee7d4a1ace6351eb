extension ProblemCode {
    /// What stands behind a code.
    public struct Entry: Sendable, Equatable {
        /// HTTP status.
        public let status: Int
        /// One sentence for people; the same for every occurrence.
        public let title: String
        /// What the client does about it.
        public let remedy: String

        init(_ status: Int, _ title: String, _ remedy: String) {
            self.status = status
            self.title = title
            self.remedy = remedy
        }
    }

    /// HTTP status.
    public var status: Int { entry.status }
    /// One sentence for people; the same for every occurrence.
    public var title: String { entry.title }

    /// The table of all codes.
    public var entry: Entry {
        switch self {
        case .malformedRequest:
            Entry(400, "This is not a request of HTTP/1.1", "mend the client; the connection is closed")
        case .badSentAt:
            Entry(400, "The time of sending is given in Unix milliseconds", "send `X-Nkul-Sent-At` as a whole number")
        case .badIdempotencyKey:
            Entry(400, "An idempotency key has at most 255 bytes", "use a shorter one, a UUID for example")
        case .badReceipts: Entry(400, "The only value of receipts is all", "send `receipts=all` or leave it out")
        case .badLimit: Entry(400, "A page has 1 to 100 entries", "ask for fewer")
        case .badCursor: Entry(400, "after takes what was told as next", "begin again without `after`")
        case .badNetwork: Entry(400, "A network has five or six digits", "send `plmn` as `62401`, or leave it out")
        case .badPlace:
            Entry(
                400, "near takes one to eight quadkeys of six to nine digits",
                "send `near` as `122223,122232`, or leave it out")
        case .notFound: Entry(404, "There is nothing at this path", "see `/openapi.json` for what there is")
        case .methodNotAllowed:
            Entry(405, "This path does not have this method", "use one of those that the field `Allow` names")
        case .tooSlow: Entry(408, "The request did not come in time", "send it again, whole, on a new connection")
        case .uriTooLong: Entry(414, "The target of the request is too long", "shorten the query")
        case .headerTooLarge: Entry(431, "The header of the request is too large", "send fewer or shorter fields")
        case .upgradeRequired:
            Entry(426, "This path speaks WebSocket", "open it as a WebSocket of version 13")
        case .badUpgrade: Entry(400, "The opening of the WebSocket is broken", "mend the client")
        case .originNotAllowed:
            Entry(
                403, "Pages of this server may not open a WebSocket here",
                "have the operator name the page's origin in `NKUL_INGEST_ORIGINS`")
        case .unknownMethod: Entry(501, "No path has this method", "use `GET`, `POST` or `PUT`")
        case .unauthorized:
            Entry(
                401, "The request is not authenticated",
                "send the token of the enrolment; if it is refused, enrol again")
        case .noMeasurementConsent:
            Entry(
                403, "The subscriber has not consented to measurement",
                "stop measuring; ask the subscriber, then `PUT /v1/me/consent`")
        case .guardianRequired:
            Entry(422, "Under 16, a guardian must have agreed", "let the guardian agree, then send `guardian: true`")
        case .activationRequired:
            Entry(
                403, "This deployment enrols phones with an activation code only",
                "let the subscriber type the code that the operator gave out")
        case .activationNotAvailable:
            Entry(422, "This deployment takes no activation codes", "leave `activation_code` out")
        case .activationCodeInvalid:
            Entry(
                403, "This activation code cannot be used",
                "let the subscriber compare it with what was given out, or ask for another; each enrols one phone")
        case .signatureRequired:
            Entry(
                403, "This device has a key: the call needs a signature",
                "sign the request as `docs/devices.md` says (RFC 9421)")
        case .signatureInvalid:
            Entry(
                403, "The signature does not hold", "mend what the detail says, and sign with the key of the enrolment")
        case .signatureExpired:
            Entry(
                403, "The signature was not made now",
                "set the phone's clock; sign the request again and send it at once")
        case .signatureReplayed:
            Entry(
                403, "A signature made at this second or later was taken already",
                "it was done if the request is the same; else sign again")
        case .passkeyRequired:
            Entry(
                403, "The person has a passkey asked for before this",
                "ask for a challenge with `POST /v1/me/passkey`, and send its use in `Nkul-Passkey` (`docs/devices.md`)"
            )
        case .passkeyInvalid:
            Entry(403, "The passkey does not hold", "mend what the detail says; each challenge counts once")
        case .noRewardsConsent:
            Entry(
                403, "The subscriber has not consented to rewards",
                "ask the subscriber, then `PUT /v1/me/consent`")
        case .noStandingsConsent:
            Entry(
                403, "The subscriber has not consented to standings",
                "ask the subscriber, then `PUT /v1/me/consent`")
        case .deviceErased:
            Entry(
                410, "This device was erased at its subscriber's wish",
                "forget the token and what is still to be sent; `GET /v1/me/erasures/{request_id}` tells how it stands")
        case .dataExpired:
            Entry(
                410, "This copy is not kept any more: 24 hours are over, or an erasure came between",
                "ask for another with `POST /v1/me/data`")
        case .rateLimited:
            Entry(
                429, "More comes from this device or address than may",
                "keep the records; send the same again after `Retry-After`")
        case .bodyTooLarge: Entry(413, "The body is too large", "send fewer records at once")
        case .inflatedTooLarge: Entry(413, "The body inflates to too many bytes", "send fewer records at once")
        case .tooManyRows: Entry(413, "There are too many records in the upload", "send fewer records at once")
        case .unsupportedType:
            Entry(415, "The body is of a type that the call does not take", "send one that the field `Accept` names")
        case .unsupportedEncoding:
            Entry(
                415, "The body is encoded in a way that the call does not take",
                "send it in one that the field `Accept-Encoding` names, or as it is")
        case .brokenCompression: Entry(422, "The compressed body cannot be inflated", "compress it anew")
        case .emptyBody: Entry(422, "The body is empty", "send at least one record")
        case .nothingReadable:
            Entry(422, "No record in the body could be read", "mend the client; do not send it again")
        case .noCSVHeader:
            Entry(
                422, "The first line of a CSV body names its columns; none of them is known",
                "write the names of the fields into the first line")
        case .duplicateColumn:
            Entry(
                422, "The first line of a CSV body names a column more than once",
                "send each column once; which one was meant cannot be known")
        case .malformed: Entry(422, "The body is not JSON", "mend the client")
        case .notAnObject: Entry(422, "The body is not a JSON object", "mend the client")
        case .missingField: Entry(422, "A field is missing", "send the field that is named")
        case .wrongType: Entry(422, "A field is of another type", "send the field that is named as the call wants it")
        case .outOfRange: Entry(422, "A field has a value that it cannot have", "mend the field that is named")
        case .badFormat: Entry(422, "A field is not written as it should be", "mend the field that is named")
        case .busy: Entry(503, "The service is busy; try again", "send the same again after `Retry-After`")
        case .journalFull:
            Entry(
                503, "A lane of the service is full; try again later",
                "keep the records; send the same again after `Retry-After`")
        case .diskFull:
            Entry(
                503, "There is no disk space; try again later",
                "keep the records; send the same again after `Retry-After`")
        case .storageFailed:
            Entry(
                503, "The service cannot store anything now",
                "keep the records; send the same again after `Retry-After`")
        case .stopping: Entry(503, "The service is stopping; try again", "send the same again after `Retry-After`")
        case .outOfMemory: Entry(503, "The service is short of memory", "send the same again after `Retry-After`")
        case .payoutKeyUnknown:
            Entry(503, "Payout numbers cannot be sealed yet", "send the same again after `Retry-After`")
        case .pushKeyUnknown:
            Entry(
                503, "Nobody sends questions here, or the notifier has not told its key yet",
                "leave it off; offer it when `GET /v1/me/push` tells a `vapid_key`")
        }
    }
}
