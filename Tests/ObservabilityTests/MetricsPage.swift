import Foundation
import ServiceKit

/// `docs/metrics.md` as a program reads it.
struct MetricsPage {
    struct Entry: Hashable {
        let name: String
        let type: String
        let labels: Set<String>
        /// `all`, or the services that have it.
        let services: Set<String>
    }

    let text: String
    let entries: [Entry]

    init() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../docs/metrics.md")
        text = try String(contentsOf: page, encoding: .utf8)
        entries = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            return Entry(
                name: cells[0].replacing("`", with: ""), type: cells[1], labels: Self.list(cells[2]),
                services: Self.list(cells[4]))
        }
    }

    /// Entries of a service, by name.
    func entries(of service: ServiceName) -> [String: Entry] {
        let mine = entries.filter { $0.services.contains("all") || $0.services.contains(service.rawValue) }
        return Dictionary(mine.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The shell script of the page.
    var script: String? {
        text.firstRange(of: "```sh\n").flatMap { begin in
            text[begin.upperBound...].firstRange(of: "```").map { String(text[begin.upperBound..<$0.lowerBound]) }
        }
    }

    private static func list(_ text: String) -> Set<String> {
        Set(text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
    }
}
