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
        let rest = text[end.upperBound...]
        // An answer to HEAD has none.
        guard fields["transfer-encoding"] == "chunked", !rest.isEmpty else {
            body = String(rest)
            return
        }
        guard let whole = Self.joined(Array(rest.utf8)[...]) else { return nil }
        body = whole
    }

    /// The chunks of a body; nil if the last one is missing.
    private static func joined(_ bytes: ArraySlice<UInt8>) -> String? {
        var rest = bytes, body: [UInt8] = []
        while let end = rest.firstIndex(of: 13) {
            guard let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16) else { return nil }
            rest = rest[(end + 2)...]
            guard size > 0 else { return rest.elementsEqual([13, 10]) ? String(decoding: body, as: UTF8.self) : nil }
            guard rest.count >= size + 2 else { return nil }
            body += rest.prefix(size)
            rest = rest.dropFirst(size + 2)
        }
        return nil
    }
}
