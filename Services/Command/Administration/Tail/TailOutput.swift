import Foundation

/// Standard output and error of `tail`.
struct TailOutput: Sendable {
    /// Writes a line to stdout; false if nobody reads any more.
    func line(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Says something beside the results.
    func note(_ text: String) {
        FileHandle.standardError.write(Data("nkul tail: \(text)\n".utf8))
    }

    /// Whether stdout is a terminal whose user has not asked for plain text (no-color.org).
    static var isColourful: Bool {
        isatty(STDOUT_FILENO) == 1 && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
    }
}
