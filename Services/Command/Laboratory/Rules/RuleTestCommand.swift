import AlarmRules
package import ArgumentParser
import Models
import ServiceKit

/// `nkul admin rule test`: a rule against its own examples.
package struct RuleTestCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Runs a rule on the examples inside its document; needs no service.",
        discussion: """
            "examples" is an array of {name, rows, until_s, expect}: rows have at_s, device and fields of the device API, and \
            late_s where they arrive later; expect lists the alarms as {raised_s, cleared_s, severity}, without cleared_s where \
            one is open at until_s. docs/rules.md has one.
            """)

    @Argument(help: "A file of rules, or - for standard input.") var file: String

    package init() {}

    package func run() throws {
        let programmes = Programmes.registered
        let rules = try RuleFile(file, programmes)
        var failed = 0, passed = 0
        for (rule, document) in zip(rules.rules, rules.documents) {
            let examples = document.document["examples"] ?? .array([])
            guard let list = examples.array else {
                throw ServiceError(.usage, "\(file): rule \(rule.id): examples is no array")
            }
            for (index, value) in list.enumerated() {
                let path = "\(file): rule \(rule.id): examples[\(index)]"
                let example = try RuleExample(value, at: path, programmes)
                guard let difference = example.difference(rule) else {
                    passed += 1
                    continue
                }
                failed += 1
                print("\(rule.id): \(example.name): \(difference)")
            }
        }
        guard failed == 0 else { throw ServiceError(.failed, "\(failed) of \(failed + passed) examples failed") }
        print(passed == 0 ? "no examples" : "\(passed) examples hold")
    }
}
