public import ServiceKit

/// Every setting of the privacy worker.
public struct PrivacyWorkerConfiguration: ServiceConfiguration {
    public let common: CommonConfiguration
    /// `NKUL_PRIVACY_WORKER_RETAIN_<KIND>_DAYS`, `NKUL_PRIVACY_WORKER_RETENTION_AT`: what is deleted after how long, and when.
    public let retention: RetentionPolicy
    /// `NKUL_NOTIFIER`: whether a notifier runs, without whose receipt no erasure is complete then.
    let hasNotifier: Bool

    /// - Throws: `ServiceError` of code `usage`.
    public init(_ settings: Settings) throws {
        common = try CommonConfiguration(settings)
        retention = try RetentionPolicy(settings, common)
        hasNotifier = try settings.value(.notifier)
    }
}
