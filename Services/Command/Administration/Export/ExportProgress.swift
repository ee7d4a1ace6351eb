import Foundation
import Synchronization

/// How far a fetch is, on stderr: one line that is written again on a terminal, a line every ten seconds elsewhere. Usable from
/// any thread.
final class ExportProgress: Sendable {
    private struct State {
        var bytes: Int64 = 0
        var total: Int64 = 0
        var files = 0
        var listed = 0
    }

    private let state = Mutex(State())
    private let isTerminal = isatty(STDERR_FILENO) == 1

    /// Files that a page of the list has, and all their bytes.
    func expect(files: Int, bytes: Int64) {
        state.withLock {
            $0.listed += files
            $0.total += bytes
        }
    }

    func add(bytes: Int64) { state.withLock { $0.bytes += bytes } }

    func finishFile() { state.withLock { $0.files += 1 } }

    /// Draws until cancelled.
    func run() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: isTerminal ? .milliseconds(500) : .seconds(10))
            if !Task.isCancelled { write(isTerminal ? "\r\(line)\u{1B}[K" : "export: \(line)\n") }
        }
        if isTerminal { write("\r\u{1B}[K") }
    }

    private var line: String {
        let now = state.withLock { $0 }
        let share = min(1, Double(now.bytes) / Double(max(1, now.total))), filled = Int(share * 30)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
        return
            "\(bar) \(Int(share * 100)) %  \(now.files) of \(now.listed) files, \(now.bytes >> 20) of \(now.total >> 20) MB"
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
