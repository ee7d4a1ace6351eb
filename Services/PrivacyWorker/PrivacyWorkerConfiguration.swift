public import ServiceKit

/// Every setting of the privacy worker; it has only those of all services yet.
public struct PrivacyWorkerConfiguration: ServiceConfiguration {
    public let common: CommonConfiguration

    /// - Throws: `ServiceError` of code `usage`.
    public init(_ settings: Settings) throws {
        common = try CommonConfiguration(settings)
    }
}
