import Foundation
import ServiceKit

/// The services' lines and those of `nkul up`, on stderr, each with whose it is; in colour on a terminal.
struct UpLog: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) == 1

    /// One `write` a line, so that lines do not mix. From any thread.
    func say(_ service: ServiceName?, _ text: String) {
        let name = service?.rawValue ?? "nkul up"
        let padded = name + String(repeating: " ", count: max(0, 18 - name.count))
        let line = Array("\(coloured(padded, service)) | \(text)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }

    private func coloured(_ text: String, _ service: ServiceName?) -> String {
        guard isTerminal else { return text }
        let colour = service.flatMap { ServiceName.allCases.firstIndex(of: $0) }.map { 31 + $0 } ?? 1
        return "\u{1b}[\(colour)m\(text)\u{1b}[0m"
    }
}
