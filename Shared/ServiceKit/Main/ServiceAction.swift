/// Something that a service's program does instead of serving: `nkul-batch-aggregator --dump`.
public struct ServiceAction<Configuration: ServiceConfiguration>: Sendable {
    /// What the action needs of the home.
    public enum Claim: Sendable {
        /// The service's lock: it refuses to run beside the service.
        case exclusive
        /// Nothing: it only reads and may run beside the service.
        case none
    }

    /// With its dashes: `--dump`.
    public let flag: String
    public let summary: String
    public let claim: Claim
    let perform: @Sendable (Configuration, ServiceHost) async throws -> Void

    /// - Parameter perform: results go to stdout, progress to stderr.
    public init(
        _ flag: String, _ summary: String, claim: Claim,
        perform: @escaping @Sendable (Configuration, ServiceHost) async throws -> Void
    ) {
        self.flag = flag
        self.summary = summary
        self.claim = claim
        self.perform = perform
    }
}
