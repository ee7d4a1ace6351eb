internal import IngestUploads
package import Logging
package import Models

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
