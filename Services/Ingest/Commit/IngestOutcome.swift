public import Models
public import Wire

/// What one commit did; all of it is on disk.
public struct IngestOutcome: Sendable {
    /// One per upload, in their order: the receipt, or why the upload was refused.
    public internal(set) var receipts: [Result<Receipt, Problem>] = []
    /// Blocks to be pushed, by lane.
    public internal(set) var blocks: [LaneName: [Block]] = [:]
    /// Where the rows of each upload went, for the lanes that are traced.
    public internal(set) var traces: [UploadTrace] = []
    /// One per enrolment, in their order.
    public internal(set) var enrolled: [Result<DeviceIdentity, Problem>] = []
    /// One per change of a consent, in their order: the consent as it stands then.
    public internal(set) var consents: [Result<ConsentState, Problem>] = []
    /// Urgent rows beyond what a device may send in a minute, which went to `batch`.
    public internal(set) var deferred = 0
    /// What became of the activation codes of those enrolments that brought one.
    var activations: [ActivationOutcome] = []
    /// One per payout number, in their order: when it was taken.
    public internal(set) var payouts: [Result<UnixMilliseconds, Problem>] = []
    /// One per erasure, in their order: when it was taken.
    public internal(set) var erasures: [Result<UnixMilliseconds, Problem>] = []
    /// One per request for a copy of everything, in their order: it, or the one that is open.
    public internal(set) var accesses: [Result<AccessTicket, Problem>] = []
}
