internal import SubjectRights

extension HeldKind {
    /// What ingest may hold about a device.
    static let ofDevice = [device, receipt, erasure, access, prompt]

    private static let device = HeldKind(
        "device",
        what: BilingualText(
            en: "this device as it enrolled, and what was noted of it since",
            fr: "cet appareil tel qu'il s'est inscrit, et ce qui en a été noté depuis"),
        why: BilingualText(
            en: "recognising its uploads, obeying its consents, counting each record once",
            fr: "reconnaître ses envois, respecter ses accords, compter chaque mesure une seule fois"),
        kept: BilingualText(en: "until everything is erased", fr: "jusqu'à l'effacement complet"),
        members: [
            HeldMember("device_id", .string, "UUID that the phone was told; the token is kept as a hash only"),
            HeldMember("platform", .string, "as it was said"), HeldMember("app_version", .string, "as it was said"),
            HeldMember("policy_version", .string, "text that was agreed to last"),
            HeldMember("age_band", .string, "as it was said; left out if it was not"),
            HeldMember("guardian", .boolean, "whether a guardian agreed"),
            HeldMember("device_key", .string, "public key, X9.63, base64; left out if there is none"),
            HeldMember("consent", .array, "purposes that are allowed now"),
            HeldMember("consent_version", .integer, "rises with each change"),
            HeldMember("consent_changed_at_ms", .integer, "Unix milliseconds"),
            HeldMember("enrolled_at_ms", .integer, "Unix milliseconds"),
            HeldMember("activation_batch", .integer, "batch of its activation code; left out if there was none"),
            HeldMember("trust", .integer, "0 new, 1 activated, 2 seen on seven days"),
            HeldMember("days_seen", .integer, "days with a record, counted up to 7"),
            HeldMember("last_seen_day", .integer, "the last of them, days since 1970"),
            HeldMember("signed_at_ms", .integer, "when its newest signature was made, Unix milliseconds"),
            HeldMember("signs_consents", .boolean, "whether it has signed a change of consent"),
            HeldMember("payout_at_ms", .integer, "when it last gave a payout number, Unix milliseconds"),
            HeldMember("revoked_at_ms", .integer, "when an operator took its token away, Unix milliseconds"),
            HeldMember("upload_key_made_at_ms", .integer, "when its upload key was made, Unix milliseconds"),
            HeldMember("passkey_made_at_ms", .integer, "when a passkey was turned on, Unix milliseconds"),
            HeldMember(
                "push_since_ms", .integer,
                "since when its browser is asked by Web Push, Unix milliseconds; where it is, the browser knows"),
            HeldMember(
                "memory_bytes", .integer, "bytes of counters and hashes by which a record that comes twice is known"),
        ])

    private static let receipt = HeldKind(
        "upload_receipt",
        what: BilingualText(
            en: "receipts of recent uploads in which something was not plainly accepted",
            fr: "reçus d'envois récents dont tout n'a pas été simplement accepté"),
        why: BilingualText(
            en: "giving the same receipt to a phone that asks again",
            fr: "redonner le même reçu à un téléphone qui redemande"),
        kept: BilingualText(en: "8 days", fr: "8 jours"),
        members: [
            HeldMember("given_at_ms", .integer, "Unix milliseconds"),
            HeldMember("receipt", .object, "as it was given; docs of POST /v1/reports"),
        ])

    private static let erasure = HeldKind(
        "erasure_request",
        what: BilingualText(
            en: "erasures that were asked for", fr: "effacements demandés"),
        why: BilingualText(
            en: "refusing what comes late of what was erased", fr: "refuser ce qui arrive tard de ce qui a été effacé"),
        kept: BilingualText(en: "30 days", fr: "30 jours"),
        members: [
            HeldMember("request_id", .string, "of the request"),
            HeldMember("requested_at_ms", .integer, "Unix milliseconds"),
            HeldMember("scope", .object, "times and cells"), HeldMember("source", .string, "who asked"),
        ])

    private static let prompt = HeldKind(
        "push_prompt",
        what: BilingualText(
            en: "questions that its browser was asked, and what it told of them",
            fr: "questions posées à son navigateur, et ce qu'il en a dit"),
        why: BilingualText(
            en: "not asking too often, and once of an alarm", fr: "ne pas demander trop souvent, et une fois par alarme"
        ),
        kept: BilingualText(en: "31 days", fr: "31 jours"),
        members: [
            HeldMember("asked_at_ms", .integer, "Unix milliseconds"),
            HeldMember("rule", .string, "of the prompt policy"),
            HeldMember("outcome", .string, "what became of it; left out if it is not known"),
            HeldMember("alarm", .string, "as in GET /v1/me/impact; left out if it was about none"),
            HeldMember("moment", .string, "what of the alarm: raised, over; left out if it was about none"),
        ])

    private static let access = HeldKind(
        "access_request",
        what: BilingualText(en: "copies like this one that were asked for", fr: "copies comme celle-ci demandées"),
        why: BilingualText(
            en: "giving them, and not too many a day", fr: "les donner, et pas trop par jour"),
        kept: BilingualText(
            en: "the copy 24 hours, the request 30 days", fr: "la copie 24 heures, la demande 30 jours"),
        members: [
            HeldMember("request_id", .string, "of the request"),
            HeldMember("requested_at_ms", .integer, "Unix milliseconds"), HeldMember("source", .string, "who asked"),
        ])
}
