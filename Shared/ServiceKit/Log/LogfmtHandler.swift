import Foundation
public import Logging

/// Log lines that people and machines read: `time=… level=info service=ingest msg="listening" address=127.0.0.1:8080`.
///
/// One `write` a line, to stderr, so that lines of several threads do not mix.
public struct LogfmtHandler: LogHandler {
    public var logLevel: Logger.Level = .info
    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let output: Int32

    /// - Parameters:
    ///   - label: shown as `service=`.
    ///   - output: file descriptor that lines are written to; stderr if none is given.
    public init(label: String, output: Int32 = 2) {
        self.label = label
        self.output = output
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        let line = Array(
            Self.line(event, label: label, metadata: metadata, now: SystemTime.text(SystemTime.unixMilliseconds())).utf8
        )
        _ = write(output, line, line.count)
    }

    static func line(_ event: LogEvent, label: String, metadata: Logger.Metadata, now: String) -> String {
        var line = "time=\(now) level=\(event.level.rawValue) service=\(label) msg=\(quoted(event.message.description))"
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        for (key, value) in all.sorted(by: { $0.key < $1.key }) { line += " \(key)=\(quoted("\(value)"))" }
        if let error = event.error { line += " error=\(quoted("\(error)"))" }
        return line + "\n"
    }

    /// Quotes a value where it would not be one word; line breaks and quotes inside are escaped.
    static func quoted(_ text: String) -> String {
        let plain = text.unicodeScalars.allSatisfy {
            $0.value > 32 && $0.value != 127 && $0 != "\"" && $0 != "=" && $0 != "\\"
        }
        guard !plain || text.isEmpty else { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case _ where scalar.value < 32 || scalar.value == 127: quoted += "\\u{\(String(scalar.value, radix: 16))}"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
