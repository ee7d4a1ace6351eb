/// Where a ``CSVReader`` has its bytes from, piece by piece. Confined to one thread.
public protocol CSVSource: AnyObject {
    /// Replaces `buffer` by the next piece; false at the end, after which it is not called again or says the same.
    func next(_ buffer: inout [UInt8]) throws -> Bool

    /// What is thrown for something at fault.
    ///
    /// - Parameter line: counted from 1.
    func fault(line: Int, _ message: String) -> any Error
}

/// A text in memory, in one piece.
public final class CSVText: CSVSource {
    private var bytes: [UInt8]?

    public init(_ text: String) { bytes = Array(text.utf8) }

    public func next(_ buffer: inout [UInt8]) -> Bool {
        guard let bytes, !bytes.isEmpty else { return false }
        buffer = bytes
        self.bytes = nil
        return true
    }

    public func fault(line: Int, _ message: String) -> any Error { CSVFault(line: line, message: message) }
}

/// Something at fault in a text.
public struct CSVFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// Counted from 1.
    public let line: Int
    public let message: String

    public init(line: Int, message: String) {
        self.line = line
        self.message = message
    }

    public var description: String { "line \(line): \(message)" }
}
