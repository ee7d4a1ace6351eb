public import IngestUploads
public import Models

/// Where rows of an upload went: the thread from a receipt's `batch_id` to the alarms that its rows count in.
public struct UploadTrace: Sendable, Equatable {
    public let batchID: BatchID
    /// The block.
    public let position: Position
    /// Rows of the block, from 0.
    public let rows: ClosedRange<Int>

    package init(batchID: BatchID, position: Position, rows: ClosedRange<Int>) {
        self.batchID = batchID
        self.position = position
        self.rows = rows
    }
}
