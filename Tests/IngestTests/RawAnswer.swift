import Foundation

/// An HTTP/1.1 answer taken apart.
struct RawAnswer {
    let status: Int
    /// Names in lower case.
    let fields: [String: String]
    let body: String

    /// - Parameter text: one answer, from its status line to its end.
    init?(_ text: String) {
        guard let end = text.range(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
        self.status = status
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields[parts[0].lowercased()] = parts.last!.drop { $0 == " " }.description
        }
        self.fields = fields
        body = String(text[end.upperBound...])
    }
}
