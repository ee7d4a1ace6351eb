public import Logging

/// Loggers of a program, on stderr.
public enum Log {
    /// A logger that writes lines of the given service.
    ///
    /// - Parameter level: `trace` `debug` `info` `notice` `warning` `error` `critical`; anything else counts as `info`.
    public static func logger(_ service: String, level: String = "info", format: LogFormat = .text) -> Logger {
        var logger = Logger(label: service) { LogWriter(label: $0, format: format) }
        logger.logLevel = Logger.Level(rawValue: level) ?? .info
        return logger
    }
}
