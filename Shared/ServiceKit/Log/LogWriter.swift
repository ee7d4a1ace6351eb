import Foundation
package import Logging

/// Writes what is logged, a line each.
///
/// One `write` a line, to stderr, so that lines of several threads do not mix.
package struct LogWriter: LogHandler {
    package var logLevel: Logger.Level = .info
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let format: LogFormat
    private let output: Int32

    /// - Parameters:
    ///   - label: whose lines these are.
    ///   - output: file descriptor that lines are written to; stderr if none is given.
    package init(label: String, format: LogFormat = .text, output: Int32 = 2) {
        self.label = label
        self.format = format
        self.output = output
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var all = metadata.merging(event.metadata ?? [:]) { $1 }
        if let error = event.error { all["error"] = "\(error)" }
        let line = LogLine(
            time: SystemTime.text(SystemTime.unixMilliseconds()), level: event.level, label: label,
            message: event.message.description, metadata: all)
        let bytes = Array((line.text(format) + "\n").utf8)
        _ = write(output, bytes, bytes.count)
    }
}
