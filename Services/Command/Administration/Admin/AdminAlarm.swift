import ArgumentParser
import CommandSupport
import Models
import ServiceKit

/// `nkul admin alarm`: which alarms there are, who has them, and what is done about them.
struct AdminAlarm: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alarm", abstract: "Alarms: who has them, and what is done about them.",
        subcommands: [List.self, Show.self, History.self, Act.self])

    struct List: AdminAction {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "The alarms that are open.")

        @Option(name: .long, help: "As this tenant sees them; the regulator by default.") var tenant: String?
        @Flag(name: .long, help: "Those that are over, too.") var all = false
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            var arguments: [String: JSONValue] = ["all": .bool(all)]
            arguments["tenant"] = tenant.map { .string($0) }
            return try await .list(
                control.ask(.analyticsExporter, "alarm.list", .object(arguments)), "alarms",
                [
                    .text("id"), .text("perceivedSeverity", "SEVERITY"), .text("state"), .text("owner"),
                    .text("plannedBy", "PLANNED"),
                    .text("ackState", "ACKNOWLEDGED"), .text("alarmRaisedTime", "SINCE"), .text("devices"),
                    .text("flapping"), .text("suppressedBy", "CAUSE"), .text("specificProblem", "PROBLEM"),
                ], none: all ? "no alarms" : "no open alarms")
        }
    }

    struct Show: AdminAction {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "One alarm.")

        @Argument(help: "Its id.") var id: String
        @Option(name: .long, help: "As this tenant sees it; the regulator by default.") var tenant: String?
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let alarm = try await control.ask(.analyticsExporter, "alarm.show", AdminAlarm.arguments(id, tenant))
            return AdminAnswer(
                value: alarm,
                text: AdminTable.lines(
                    of: alarm, first: ["id", "perceivedSeverity", "state", "owner", "specificProblem"]))
        }
    }

    struct History: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "history", abstract: "What an alarm was from when on, and who did what.")

        @Argument(help: "Its id.") var id: String
        @Option(name: .long, help: "As this tenant sees it; the regulator by default.") var tenant: String?
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let history = try await control.ask(.analyticsExporter, "alarm.history", AdminAlarm.arguments(id, tenant))
            let states = AdminTable(columns: [.text("at"), .text("severity"), .text("state")]).text(
                of: history["states"]?.array ?? [], none: "no states")
            let acts = AdminTable(columns: [
                .text("created", "AT"), .text("contact"), .text("act"), .text("state", "OUTCOME"), .text("to"),
                .text("text"),
                .text("reason"),
            ]).text(of: history["acts"]?.array ?? [], none: "nobody has done anything")
            let told = AdminTable(columns: [
                .text("at"), .text("channel"), .text("transition", "TOLD"), .text("state", "OUTCOME"), .text("reason"),
            ]).text(of: history["deliveries"]?.array ?? [], none: "no channel of the tenant was told")
            return AdminAnswer(value: history, text: [states, acts, told].joined(separator: "\n\n"))
        }
    }

    struct Act: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "act", abstract: "Does something to an alarm, in the name of a contact.",
            discussion: """
                ACT is acknowledge, unacknowledge, handover (--to, --text), accept, decline, comment (--text), shelve (--minutes, --text \
                with the reason), unshelve, clear, or usefulness (--useful, --useless); docs/alarms.md describes them. The router decides; \
                a refusal is exit code 1. The act stands in the alarm's history and in the audit log.
                """)

        @Argument(help: "What is done: acknowledge, comment, …") var act: String
        @Argument(help: "The alarm's id.") var id: String
        @Option(name: .long, help: "The tenant of the contact; the regulator by default.") var tenant: String?
        @Option(name: .long, help: "In whose name; the regulator's own contact by default.") var contact: String?
        @Option(name: .long, help: "For how long: acknowledge, accept, shelve.") var minutes: Int?
        @Option(name: .long, help: "The contact whom it is offered to.") var to: String?
        @Option(name: .long, help: "A comment, a note with an offer, the reason of shelving.") var text: String?
        @Flag(name: .long, help: "It was useful to be told.") var useful = false
        @Flag(name: .long, help: "It was not.") var useless = false
        @OptionGroup var options: AdminOptions

        func validate() throws {
            guard !(useful && useless) else { throw ValidationError("--useful or --useless, not both") }
        }

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            var members: [String: JSONValue] = [:]
            members["for_minutes"] = minutes.map { .integer(Int64($0)) }
            members["to"] = to.map { .string($0) }
            members[["handover": "note", "shelve": "reason"][act] ?? "text"] = text.map { .string($0) }
            if useful || useless { members["useful"] = .bool(useful) }
            var arguments: [String: JSONValue] = ["act": .string(act), "id": .string(id), "members": .object(members)]
            arguments["tenant"] = tenant.map { .string($0) }
            arguments["contact"] = contact.map { .string($0) }
            let task = try await control.ask(.analyticsExporter, "alarm.act", .object(arguments))
            switch task["state"]?.string {
            case "done": return AdminAnswer(value: task, text: "\(act): done")
            case "failed":
                return AdminAnswer(
                    value: task, text: "\(act): failed", problem: task["reason"]?.string ?? "the router refused it")
            default:
                return AdminAnswer(
                    value: task, text: "\(act): task \(task["id"]?.string ?? "")",
                    problem: "the router has not decided yet; see \"nkul admin alarm history \(id)\"")
            }
        }
    }

    private static func arguments(_ id: String, _ tenant: String?) -> JSONValue {
        var arguments: [String: JSONValue] = ["id": .string(id)]
        arguments["tenant"] = tenant.map { .string($0) }
        return .object(arguments)
    }
}
