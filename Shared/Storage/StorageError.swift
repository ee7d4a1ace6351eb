/// Why something could not be kept or read: what, where, and the codes of SQLite and the operating system.
public struct StorageError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is, for decisions.
    public enum Code: String, Sendable {
        /// The directory or file cannot be opened or written; ``StorageError/systemError`` says why.
        case notWritable
        /// Written by a newer program: "newer home". Nothing was changed.
        case newerHome
        /// No space left. The transaction was rolled back; what was committed stays readable.
        case diskFull
        /// The disk failed. The database accepts nothing more until the process is started again.
        case inputOutput
        /// A file is not what it should be.
        case corrupt
        /// An earlier failure of the disk; see the message.
        case poisoned
        /// A key file has wrong permissions, owner or length.
        case badKey
        /// A sealed payload does not open: another key, another place, or changed bytes.
        case notAuthentic
        /// Any other error of SQLite.
        case sqlite
    }

    public let code: Code
    /// The file or directory concerned.
    public let path: String
    /// One sentence for people.
    public let message: String
    /// SQLite's extended result code, where it was SQLite that failed.
    package let sqliteCode: Int32?
    /// errno, where it was the operating system that failed.
    public let systemError: Int32?

    public init(_ code: Code, path: String, message: String, sqliteCode: Int32? = nil, systemError: Int32? = nil) {
        self.code = code
        self.path = path
        self.message = message
        self.sqliteCode = sqliteCode
        self.systemError = systemError
    }

    public var description: String {
        var text = "\(path): \(message)"
        if let sqliteCode { text += " (SQLite \(sqliteCode))" }
        if let systemError { text += " (errno \(systemError))" }
        return text
    }
}
