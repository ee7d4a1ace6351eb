internal import Models
public import ServiceKit

/// Every setting of the privacy worker.
public struct PrivacyWorkerConfiguration: ServiceConfiguration {
    public let common: CommonConfiguration
    /// `NKUL_PRIVACY_WORKER_ERASURE_DAYS`: milliseconds in which an erasure must be completed.
    let erasureDeadline: UnixMilliseconds

    /// - Throws: `ServiceError` of code `usage`.
    public init(_ settings: Settings) throws {
        common = try CommonConfiguration(settings)
        let days = try settings.value(
            .integer(
                "NKUL_PRIVACY_WORKER_ERASURE_DAYS", default: 30, in: 1...365, unit: "days",
                "in which an erasure must be completed; a later one is told of"))
        erasureDeadline = Int64(days) * 86_400_000
    }
}
