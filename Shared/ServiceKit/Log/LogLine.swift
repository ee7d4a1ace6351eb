public import Logging

/// One line of a log, without its end.
public struct LogLine: Sendable {
    private let time: String
    private let level: Logger.Level
    private let label: String
    private let message: String
    private let metadata: Logger.Metadata

    /// - Parameters:
    ///   - time: RFC 3339 in UTC.
    ///   - label: whose line it is.
    public init(time: String, level: Logger.Level, label: String, message: String, metadata: Logger.Metadata = [:]) {
        self.time = time
        self.level = level
        self.label = label
        self.message = message
        self.metadata = metadata
    }

    /// A line of now, of what no logger writes: level `error`, or `notice`.
    public static func now(_ label: String, _ message: String, isError: Bool) -> LogLine {
        LogLine(
            time: SystemTime.text(SystemTime.unixMilliseconds()), level: isError ? .error : .notice, label: label,
            message: message)
    }

    public func text(_ format: LogFormat) -> String {
        switch format {
        case .text: logfmt
        case .json: json
        }
    }

    private var logfmt: String {
        var line = "time=\(time) level=\(level.rawValue) service=\(label) msg=\(Self.quoted(message))"
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) { line += " \(key)=\(Self.quoted("\(value)"))" }
        return line
    }

    /// Values of metadata are the texts that logfmt has, so that a value is found by the same words in either.
    private var json: String {
        JSONValue.object([
            "time": .string(time), "level": .string(level.rawValue), "label": .string(label),
            "message": .string(message), "metadata": .object(metadata.mapValues { .string("\($0)") }),
        ]).text
    }

    /// Quotes a value where it would not be one word; line breaks and quotes inside are escaped.
    private static func quoted(_ text: String) -> String {
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

/// How lines of the log look: `NKUL_LOG_FORMAT`.
public enum LogFormat: String, CaseIterable, Sendable {
    /// logfmt, which people and machines read: `time=… level=info service=ingest msg=listening address=127.0.0.1:8080`.
    case text
    /// An object a line: `{"label":"ingest","level":"info","message":"listening","metadata":{…},"time":"…"}`.
    case json
}
