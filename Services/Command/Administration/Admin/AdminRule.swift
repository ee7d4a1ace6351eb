import ArgumentParser
import CommandSupport
import Laboratory
import ServiceKit

/// `nkul admin rule`: the documents by which services decide, published to all of them.
struct AdminRule: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rule",
        abstract: "Rules of alarms: sets and publishes them, tries them on recordings and on their examples.",
        subcommands: [
            List.self, Set.self, Remove.self, RuleBuiltInCommand.self, RuleCheckCommand.self, RuleTestCommand.self,
        ])

    struct List: AdminAction {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "The rules there are.")

        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            try await .list(
                control.ask(.analyticsExporter, "rule.list"), "rules", [.text("id"), .text("document")],
                none: "no rules")
        }
    }

    struct Set: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Adds a rule or puts another in its place.",
            discussion: """
                A rule is a JSON document as docs/rules.md describes it. The exporter compiles it as rule check does, and refuses \
                it naming every field that is wrong.
                """)

        @Argument(help: "Its name.") var id: String
        @Argument(help: "A file with a JSON object; - is standard input.") var file: String
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let set = try await control.ask(
                .analyticsExporter, "rule.set", ["id": .string(id), "document": try AdminDocument.read(file)])
            return AdminAnswer(value: set, text: "rule \(id) is set")
        }
    }

    struct Remove: AdminAction {
        static let configuration = CommandConfiguration(commandName: "remove", abstract: "Removes a rule.")

        @Argument(help: "Its name.") var id: String
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let answer = try await control.ask(.analyticsExporter, "rule.remove", ["id": .string(id)])
            return AdminAnswer(value: answer, text: "rule \(id) is removed")
        }
    }
}
