import Foundation

/// How far something has come, on stderr if people look at it; at most some times a second.
struct ByteProgress {
    private let title: String
    private let total: Int
    private let isShown = isatty(STDERR_FILENO) == 1
    private var done = 0
    private var shownAt: ContinuousClock.Instant?

    /// - Parameter total: bytes.
    init(_ title: String, total: Int) {
        self.title = title
        self.total = total
    }

    mutating func add(_ bytes: Int) {
        done += bytes
        guard isShown, shownAt.map({ .now - $0 > .milliseconds(200) }) ?? true else { return }
        shownAt = .now
        say("\r\(title): \(done / 1_000_000) of \(total / 1_000_000) MB")
    }

    /// Clears the line.
    func end() { if isShown { say("\r\u{1b}[K") } }

    private func say(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
