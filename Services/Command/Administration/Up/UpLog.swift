import Foundation
import ServiceKit

/// The services' lines and those of `nkul up`, on stderr, each with whose it is; in colour on a terminal.
struct UpLog: Sendable {
    let format: LogFormat
    private let isTerminal = isatty(STDERR_FILENO) == 1

    init(format: LogFormat) { self.format = format }

    /// One `write` a line, so that lines do not mix. From any thread.
    func say(_ service: ServiceName?, _ text: String) {
        let line = Array((line(service, text) + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }

    /// A service's line that is an object already stays as it is. Others become one, also the last words of a service that
    /// crashes: whoever reads objects finds nothing else.
    func line(_ service: ServiceName?, _ text: String) -> String {
        let name = service?.rawValue ?? "nkul up"
        switch format {
        case .text:
            let padded = name + String(repeating: " ", count: max(0, 18 - name.count))
            return "\(coloured(padded, service)) | \(text)"
        case .json:
            if service != nil, case .object? = try? JSONValue(bytes: Array(text.utf8)) { return text }
            return LogLine.now(name, text, isError: service != nil).text(.json)
        }
    }

    private func coloured(_ text: String, _ service: ServiceName?) -> String {
        guard isTerminal else { return text }
        let colour = service.flatMap { ServiceName.allCases.firstIndex(of: $0) }.map { 31 + $0 } ?? 1
        return "\u{1b}[\(colour)m\(text)\u{1b}[0m"
    }
}
