import Foundation
import Models

/// How far a simulation is, on stderr: one line that is written again on a terminal, a line every quarter elsewhere.
struct SimulateProgress {
    private let settings: SimulationSettings
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var told = 0

    init(_ settings: SimulationSettings) { self.settings = settings }

    mutating func reached(_ time: UnixMilliseconds, rows: Int) {
        let percent = Int((time - settings.start) * 100 / (settings.end - settings.start))
        guard percent >= told + (isTerminal ? 1 : 25) else { return }
        told = percent
        write(isTerminal ? "\r\(percent) %  \(rows) rows\u{1B}[K" : "simulate: \(percent) %, \(rows) rows\n")
    }

    func end() {
        if isTerminal { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
