import Foundation

/// How far a run is, on stderr: one line that is written again on a terminal, a line every ten seconds elsewhere.
struct ReplayProgressBar: Sendable {
    /// Rows of all recordings and phones.
    let total: Int
    let tally: ReplayTally
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let start = ContinuousClock.now

    init(total: Int, tally: ReplayTally) {
        self.total = total
        self.tally = tally
    }

    /// Draws until cancelled.
    func run() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: isTerminal ? .milliseconds(500) : .seconds(10))
            if !Task.isCancelled { write(line() + (isTerminal ? "" : "\n")) }
        }
        if isTerminal { write("\r\u{1B}[K") }
    }

    private func line() -> String {
        let counts = tally.current, elapsed = (ContinuousClock.now - start).components
        let seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
        let share = min(1, Double(counts.rows) / Double(max(1, total)))
        let filled = Int(share * 30)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
        let text =
            "\(bar) \(Int(share * 100)) %  \(counts.rows) rows, \(Int(Double(counts.rows) / max(seconds, 0.001)))/s, "
            + "\(counts.duplicates) duplicates, \(counts.conflicts + counts.rejected + counts.refused) not taken, \(counts.retries) sent again"
        return isTerminal ? "\r\(text)\u{1B}[K" : "replay: \(text)"
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
