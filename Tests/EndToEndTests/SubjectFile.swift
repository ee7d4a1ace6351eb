import Foundation
import Testing

/// A copy of what is held about a subscriber, as a phone has downloaded it.
struct SubjectFile {
    let text: String
    private let objects: [[String: Any]]

    init(_ text: String) throws {
        self.text = text
        objects = try text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
        }
    }

    /// The lines of a kind.
    func lines(_ kind: String) -> [[String: Any]] { objects.filter { $0["kind"] as? String == kind } }

    /// It begins with a summary, describes every kind, is whole, and its members are those of the schemas.
    func expectSound(contact: String) throws {
        let summary = try #require(objects.first), end = try #require(objects.last)
        #expect(summary["kind"] as? String == "summary" && end["kind"] as? String == "end")
        let words = try #require(summary["text"] as? [String: [String]])
        for language in ["en", "fr"] { #expect(words[language]?.joined().contains(contact) == true) }
        let data = objects.filter { !["summary", "schema", "end"].contains($0["kind"] as? String) }
        #expect(end["lines"] as? Int == data.count && end["complete"] as? Bool == true)
        let kinds = try #require(summary["kinds"] as? [[String: Any]])
        for kind in kinds {
            let name = kind["kind"] as? String ?? ""
            #expect(kind["count"] as? Int == lines(name).count, "\(name)")
        }
        var properties: [String: Set<String>] = [:]
        for line in lines("schema") {
            let schema = line["schema"] as? [String: Any]
            properties[line["of"] as? String ?? ""] = Set((schema?["properties"] as? [String: Any] ?? [:]).keys)
        }
        for line in data {
            let kind = line["kind"] as? String ?? ""
            #expect(Set(line.keys).isSubset(of: properties[kind] ?? []), "\(kind): \(line.keys.sorted())")
        }
    }
}
