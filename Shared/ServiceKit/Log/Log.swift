public import Logging

/// Loggers of a program: logfmt on stderr.
public enum Log {
    /// A logger that writes lines of the given service.
    ///
    /// - Parameter level: `trace` `debug` `info` `notice` `warning` `error` `critical`; anything else counts as `info`.
    public static func logger(_ service: String, level: String = "info") -> Logger {
        var logger = Logger(label: service) { LogfmtHandler(label: $0) }
        logger.logLevel = Logger.Level(rawValue: level) ?? .info
        return logger
    }
}
