import ArgumentParser
import CommandSupport
import QoE
import ServiceKit

/// `nkul admin prompt-policy`: when phones ask their subscribers for feedback.
struct AdminPromptPolicy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prompt-policy",
        abstract: "When phones ask for feedback (docs/prompting.md).",
        subcommands: [Set.self, Show.self])

    struct Set: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Puts a policy in force.",
            discussion:
                "A JSON object as docs/prompting.md has it; its \"version\" is above that of the one in force.")

        @Argument(help: "A file with a JSON object; - is standard input.") var file: String
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let set = try await control.ask(
                .analyticsExporter, "prompt-policy.set", ["document": try AdminDocument.read(file)])
            return AdminAnswer(value: set, text: "prompt policy version \(AdminTable.words(set["version"])) is set")
        }
    }

    struct Show: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "The policy in force, and which one ingest has read.")

        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let document = try await control.ask(.analyticsExporter, "prompt-policy.show")
            var answer: [String: JSONValue] = ["document": document]
            let isBuiltIn = document["version"] == 0
            var lines =
                (isBuiltIn ? ["none is set: the built-in policy is in force (\(PromptPolicy.builtInName))"] : []) + [
                    document.text
                ]
            do {
                answer["ingest_version"] = Self.version(in: try await control.ask(.ingest, "operations.copies"))
                let read =
                    answer["ingest_version"].map { "version \($0.text)" }
                    ?? (isBuiltIn ? "none, as it should be" : "none yet")
                lines.append("read by ingest: \(read)")
            } catch let error as ControlError where error.code == ControlError.down {
                lines.append("read by ingest: cannot say, it does not run")
            }
            return AdminAnswer(value: .object(answer), text: lines.joined(separator: "\n"))
        }

        private static func version(in copies: JSONValue) -> JSONValue? {
            copies["documents"]?.array?.first { $0["kind"] == "prompt_policy" }?["version"]
        }
    }
}
