public import Models

/// What a subscriber allowed before: from the end of the period before it up to `until`.
public struct PastConsent: Sendable, Equatable {
    /// When it was replaced, Unix milliseconds; a row captured then is judged by what came after.
    public let until: UnixMilliseconds
    public let consent: Consent

    public init(until: UnixMilliseconds, consent: Consent) {
        self.until = until
        self.consent = consent
    }
}
