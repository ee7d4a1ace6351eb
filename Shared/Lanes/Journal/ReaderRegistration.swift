/// A reader a journal waits for.
public struct ReaderRegistration: Sendable, Hashable {
    /// Name of the reading service.
    public let name: String
    /// A required reader holds blocks back for ever; an optional one is detached when it is too far behind.
    public let isRequired: Bool

    public init(name: String, isRequired: Bool = true) {
        self.name = name
        self.isRequired = isRequired
    }
}
