import AlarmRules
import Foundation
import Models
import ServiceKit

/// Rules in a file: one document, named by the file, or `{"rules": {"name": document}}`; `built-in` means those of this build.
struct RuleFile {
    let path: String
    let rules: [AlarmRule]
    /// Documents by name, for their examples.
    let documents: [(id: String, document: JSONValue)]

    static let builtIn = "built-in"

    /// - Throws: `ServiceError` naming file, rule and everything that is wrong with it.
    init(_ path: String, _ programmes: Programmes) throws {
        self.path = path
        documents = try Self.documents(path, programmes)
        var rules: [AlarmRule] = [], wrong: [String] = []
        for (id, document) in documents {
            do {
                rules.append(try AlarmRule(compiling: Array(document.text.utf8), id: id, programmes: programmes))
            } catch { wrong += error.problems.map { "\(path): rule \(id): \($0)" } }
        }
        guard wrong.isEmpty else { throw ServiceError(.usage, wrong.joined(separator: "\n")) }
        self.rules = rules
    }

    private static func documents(_ path: String, _ programmes: Programmes) throws -> [(String, JSONValue)] {
        if path == builtIn {
            return try BuiltInRules.documents(programmes).map {
                ($0.id, try JSONValue(bytes: Array($0.document.utf8)))
            }
        }
        let bytes =
            path == "-" ? FileHandle.standardInput.readDataToEndOfFile() : FileManager.default.contents(atPath: path)
        guard let bytes else { throw ServiceError(.usage, "cannot read \(path)") }
        guard let value = try? JSONValue(bytes: [UInt8](bytes)), let members = value.object else {
            throw ServiceError(.usage, "\(path) is not a JSON object")
        }
        guard members["kind"] == nil, let rules = value["rules"] else {
            return [(path == "-" ? "rule" : (path as NSString).lastPathComponent.replacing(".json", with: ""), value)]
        }
        guard members.count == 1, let named = rules.object, !named.isEmpty else {
            throw ServiceError(
                .usage, "\(path): expected one rule, or {\"rules\": {\"name\": rule, …}} and nothing else")
        }
        return named.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
