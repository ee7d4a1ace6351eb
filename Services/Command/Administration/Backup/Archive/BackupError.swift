/// Why something is no backup that can be used.
struct BackupError: Error, Equatable, CustomStringConvertible {
    let path: String
    /// One sentence, without a final full stop.
    let message: String

    init(_ path: String, _ message: String) {
        self.path = path
        self.message = message
    }

    var description: String { "\(path): \(message)" }
}
