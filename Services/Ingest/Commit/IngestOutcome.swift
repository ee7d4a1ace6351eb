public import IngestCommands
public import IngestSupport
public import IngestUploads
public import Models
public import Wire

/// What one commit did; all of it is on disk.
public struct IngestOutcome: Sendable {
    /// One per upload, in their order: the receipt, or why the upload was refused.
    public internal(set) var receipts: [Result<Receipt, DeviceAPIError>] = []
    /// One per command, in the order in which they were given.
    var answers: [CommandAnswer] = []
    /// What is to be counted of the commands.
    var counts: [@Sendable (IngestMetrics) -> Void] = []
    /// Blocks to be pushed, by lane.
    public internal(set) var blocks: [LaneName: [Block]] = [:]
    /// Where the rows of each upload went, for the lanes that are traced.
    public internal(set) var traces: [UploadTrace] = []
    /// Urgent rows beyond what a device may send in a minute, which went to `batch`.
    public internal(set) var deferred = 0

    /// The answers to commands of one type, in the order in which they were given.
    public func answers<Command: IngestCommand>(to command: Command.Type) -> [Result<Command.Answer, DeviceAPIError>] {
        answers.filter { $0.command == command }.map { $0.result(of: command) }
    }
}
