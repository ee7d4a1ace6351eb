package import ArgumentParser
import Models
import ServiceKit

/// `nkul admin rule built-in`: the rules that a new home has.
package struct RuleBuiltInCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "built-in", abstract: "Prints the built-in rules as a file that check takes; needs no service.")

    package init() {}

    package func run() throws {
        let documents = try RuleFile(RuleFile.builtIn, .registered).documents
        let rules = Dictionary(uniqueKeysWithValues: documents.map { ($0.id, $0.document) })
        print(JSONValue.object(["rules": .object(rules)]).text)
    }
}
