/// What the provider said to a ``ProviderCall``, or that it said nothing that helps.
public enum ProviderAnswer: Sendable, Equatable {
    /// It was paid; with the provider's own reference.
    case confirmed(String)
    /// It was not paid and will not be.
    case rejected(String)
    /// It was certainly not paid; trying later may help.
    case failed(String)
    /// An answer to a question only: the provider has never heard of the reference.
    case notFound
    /// It is being worked on.
    case processing
    /// No answer, or one that says neither: it may have been paid.
    case unknown(String)
}
