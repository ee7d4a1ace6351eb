import ArgumentParser
import Channels
import CommandSupport
import Models
import ServiceKit

/// `nkul admin channel`: who is told of alarms, how, and what became of it.
struct AdminChannel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channel",
        abstract: "Who is told of alarms by webhook, Alertmanager, e-mail or Web Push, and what became of it.",
        discussion: "docs/channels.md describes the documents. The notifier must run: NKUL_NOTIFIER=1 nkul up.",
        subcommands: [
            List.self, Show.self, Add.self, Remove.self, Test.self, AdminDeliveries.self, AdminResend.self, Key.self,
        ])

    struct List: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "The channels there are, and how they stand.")

        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let channels = try await control.ask(.analyticsExporter, "channel.list")
            var states: [String: JSONValue] = [:], problem: String?
            do {
                for state in try await control.ask(.notifier, "channel.status").array ?? [] {
                    if let id = state["id"]?.string { states[id] = state }
                }
            } catch let error as ControlError { problem = error.message }
            let rows = (channels.array ?? []).map { channel in
                var members = channel.object ?? [:]
                members["target"] = channel["url"] ?? channel["to"] ?? "-"
                for (name, value) in states[channel["id"]?.string ?? ""]?.object ?? [:] { members[name] = value }
                return JSONValue.object(members)
            }
            let table = AdminTable(columns: [
                .text("id"), .text("kind"), .text("tenant"), .text("target"), .figure("waiting"), .figure("dead"),
                .init(title: "STATE", isRight: false) { row in
                    guard let usable = row["usable"]?.bool else { return "not known" }
                    return usable
                        ? AdminTable.words(row["last_reason"]?.string == "" ? "ok" : row["last_reason"])
                        : AdminTable.words(row["problem"])
                },
            ])
            return AdminAnswer(
                value: .array(rows), text: table.text(of: rows, none: "no channels"), problem: problem)
        }
    }

    struct Show: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "The document of a channel, without its secrets.")

        @Argument(help: "Its name.") var id: String
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let all = try await control.ask(.analyticsExporter, "channel.list").array ?? []
            guard let channel = all.first(where: { $0["id"]?.string == id }) else {
                throw ControlError.notFound("there is no channel \"\(id)\"")
            }
            return AdminAnswer(value: channel, text: AdminTable.lines(of: channel, first: ["id", "kind", "tenant"]))
        }
    }

    struct Add: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Adds a channel or puts another in its place.",
            discussion: """
                The file has a JSON document as docs/channels.md describes it, with its secrets in clear. They are sealed to \
                the notifier's key before anything leaves this command.
                """)

        @Argument(help: "Its name.") var id: String
        @Argument(help: "A file with a JSON object; - is standard input.") var file: String
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let document = try AdminDocument.read(file)
            let key = try await control.ask(.notifier, "channel.key").decoded(as: ChannelKeyDocument.self)
            let policy = try await options.settings.load().value(.allowedNetworks)
            let sealed: JSONValue
            do { sealed = try ChannelSealing.seal(document, id: id, to: key, policy) } catch let error
                as DocumentRefusal
            {
                throw ServiceError(.failed, "\(file): \(error.problems.map(\.description).joined(separator: "\n"))")
            }
            let set = try await control.ask(
                .analyticsExporter, "channel.set", ["id": .string(id), "document": sealed])
            return AdminAnswer(value: set, text: "channel \(id) is set; try it: nkul admin channel test \(id)")
        }
    }

    struct Remove: AdminAction {
        static let configuration = CommandConfiguration(commandName: "remove", abstract: "Removes a channel.")

        @Argument(help: "Its name.") var id: String
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let answer = try await control.ask(.analyticsExporter, "channel.remove", ["id": .string(id)])
            return AdminAnswer(value: answer, text: "channel \(id) is removed")
        }
    }

    struct Key: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "key", abstract: "The notifier's public keys: for secrets, and for browsers (VAPID).")

        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let key = try await control.ask(.notifier, "channel.key")
            return AdminAnswer(value: key, text: AdminTable.lines(of: key, first: ["id"]))
        }
    }

    struct Test: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "test", abstract: "Tells a channel of a test, and says what became of it.")

        @Argument(help: "Its name.") var id: String
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let delivery = try await control.ask(.notifier, "channel.test", ["id": .string(id)], timeout: .seconds(15))
            let state = delivery["state"]?.string ?? "", reason = delivery["reason"]?.string ?? ""
            return AdminAnswer(
                value: delivery, text: "channel \(id): \(state)\(reason.isEmpty ? "" : ", \(reason)")",
                problem: state == "delivered" ? nil : "the test was not delivered")
        }
    }
}
