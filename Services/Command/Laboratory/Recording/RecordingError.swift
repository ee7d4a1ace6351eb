/// Why a file of rows cannot be read or written: which file, which line, what.
public struct RecordingError: Error, Equatable, Sendable, CustomStringConvertible {
    public let path: String
    /// Counted from 1; 0 where the whole file is meant.
    public let line: Int
    public let message: String

    public init(_ path: String, line: Int = 0, _ message: String) {
        self.path = path
        self.line = line
        self.message = message
    }

    public var description: String { line == 0 ? "\(path): \(message)" : "\(path):\(line): \(message)" }
}
