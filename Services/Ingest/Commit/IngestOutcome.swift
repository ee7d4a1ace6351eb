public import Models
public import Wire

/// What one commit did; all of it is on disk.
public struct IngestOutcome: Sendable {
    /// One per upload, in their order: the receipt, or why the upload was refused.
    public internal(set) var receipts: [Result<Receipt, Problem>] = []
    /// Blocks to be pushed, by lane.
    public internal(set) var blocks: [LaneName: [Block]] = [:]
    /// One per enrolment, in their order.
    public internal(set) var enrolled: [DeviceIdentity] = []
}
