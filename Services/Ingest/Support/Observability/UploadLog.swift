public import IngestUploads
package import Logging
public import Models

/// Writes which uploads went into which block: urgent ones at `info`, the others at `debug`.
///
///     … msg="uploads committed" trace=realtime/77/12 uploads=<batch_id>:0-2,<batch_id>:3
///
/// One line for a block and 64 uploads, so that what it costs does not grow with the load of urgent rows, and a line stays
/// whole in a pipe.
package struct UploadLog {
    static let uploadsOfALine = 64
    private let logger: Logger

    package init(_ logger: Logger) { self.logger = logger }

    /// The lanes whose uploads are logged at the logger's level.
    package var lanes: Set<LaneName> {
        if logger.logLevel <= .debug { return [.realtime, .batch] }
        return logger.logLevel <= .info ? [.realtime] : []
    }

    package func write(_ traces: [UploadTrace]) {
        var rest = traces[...]
        while let first = rest.first {
            let line = rest.prefix(Self.uploadsOfALine).prefix { $0.position == first.position }
            rest = rest.dropFirst(line.count)
            let position = first.position
            logger.log(
                level: position.lane == .realtime ? .info : .debug, "uploads committed",
                metadata: [
                    "trace": "\(position.text)", "uploads": "\(line.map(Self.text).joined(separator: ","))",
                ])
        }
    }

    /// `<batch_id>:0-2`, or `<batch_id>:3` for one row.
    private static func text(_ trace: UploadTrace) -> String {
        let rows = trace.rows
        return rows.count == 1
            ? "\(trace.batchID.text):\(rows.lowerBound)" : "\(trace.batchID.text):\(rows.lowerBound)-\(rows.upperBound)"
    }
}

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
