import ArgumentParser
import CommandSupport
import Models
import ServiceKit

/// `nkul admin campaign`: what is paid for feedback, to whom, and when.
struct AdminCampaign: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "campaign", abstract: "What is paid for feedback, to whom, and when.",
        subcommands: [List.self, Show.self, Set.self, Check.self, Remove.self])

    struct List: AdminAction {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "The campaigns there are.")

        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            try await .list(
                control.ask(.analyticsExporter, "campaign.list"), "campaigns", Self.columns, none: "no campaigns")
        }

        private static let columns: [AdminTable.Column] = [
            .text("id"), .figure("amount_xaf", "XAF"), .figure("daily_maximum", "A DAY"), .text("operators"),
            .text("kind"), .time("from_ms", "FROM"), .time("to_ms", "TO"), .text("active"),
            .figure("budget_xaf", "BUDGET"), .text("version"),
        ]
    }

    struct Show: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "The document of one; --json prints it so that it can be changed and set again.")

        @Argument(help: "Its name.") var id: String
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let shown = try await control.ask(.analyticsExporter, "campaign.show", ["id": .string(id)])
            return AdminAnswer(value: shown, text: AdminTable.lines(of: shown, first: ["id"]))
        }
    }

    struct Check: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Says what is wrong with the document of a campaign, or what it would cost, and changes nothing.",
            discussion: """
                Exit code 1 if anything is; every member at fault is named. With --against the records of a recording go through the \
                campaign as the dispatcher would take them: grants, spend by day, when the budget ends, what is refused and why. \
                Everybody consents to rewards there, nobody shares a number, and all is paid. If the recording's first record is \
                not within the campaign's time, its days are moved to where the campaign begins.
                """)

        @Argument(help: "Its name.") var id: String
        @Argument(help: "A file with a JSON object; - is standard input.") var file: String
        @Option(name: .customLong("against"), help: "A recording (CSV, gzip or plain).") var recording: String?
        @Flag(name: .customLong("hold"), help: "Hold what is odd, as NKUL_REWARD_DISPATCHER_CHECKS=hold does.")
        var holds = false
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let checked = try await control.ask(
                .analyticsExporter, "campaign.check", ["id": .string(id), "document": try AdminDocument.read(file)])
            guard let recording else {
                return AdminAnswer(value: checked, text: AdminTable.lines(of: checked, first: ["id"]))
            }
            let campaign = try checked.decoded(as: CampaignDocument.self)
            guard campaign.competition == nil else {
                throw ServiceError(
                    .usage,
                    "--against tells what records cost; a competition pays \(campaign.amountXAF) XAF to each winner, however many records there are"
                )
            }
            let zone = try await options.settings.common().timeZone
            let report = try CampaignReport(
                campaign, recording: recording, timeZone: zone, holds: holds)
            return AdminAnswer(value: report.json, text: report.text)
        }
    }

    struct Set: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Adds a campaign or puts another in its place.",
            discussion: """
                Feedback received from --from on and before --to is paid for; by default from now on, without an end. With FILE the \
                campaign is what the JSON document in it says, which may have budgets and other limits (docs/administration.md); a \
                document with a version is set only if that is the one there is.
                """)

        @Argument(help: "Its name: letters, digits, - _ and .") var id: String
        @Argument(help: "A file with a JSON object, instead of the options; - is standard input.") var file: String?
        @Option(name: .customLong("amount"), help: "For one feedback, whole XAF; needed without FILE.") var amount:
            Int64?
        @Option(name: .long, help: "Grants of one device on one day; 0 is without limit.") var dailyMaximum: Int64 = 1
        @Option(name: .long, help: "The kind whose records are paid for; feedback by default.") var kind: String?
        @Option(name: .customLong("operator"), help: "Network of the SIM, as 62401 (several times); none is any.")
        var operators: [String] = []
        @Option(
            name: .long, help: "RFC 3339, e.g. 2026-03-01T00:00:00+01:00.", transform: InstantArgument.milliseconds)
        var from: UnixMilliseconds?
        @Option(name: .long, help: "RFC 3339.", transform: InstantArgument.milliseconds) var to: UnixMilliseconds?
        @Flag(name: .long, help: "It stays known and pays nothing.") var inactive = false
        @OptionGroup var options: AdminOptions

        func validate() throws {
            guard (file == nil) != (amount == nil) else {
                throw ValidationError("Give either --amount or a file with the campaign's document.")
            }
        }

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            if let file {
                let set = try await control.ask(
                    .analyticsExporter, "campaign.set", ["id": .string(id), "document": try AdminDocument.read(file)])
                return AdminAnswer(value: set, text: AdminTable.lines(of: set, first: ["id"]))
            }
            var arguments: [String: JSONValue] = [
                "id": .string(id), "amount_xaf": .integer(amount ?? 0), "daily_maximum": .integer(dailyMaximum),
                "operators": .array(operators.map { .string($0) }), "active": .bool(!inactive),
            ]
            if let from { arguments["from_ms"] = .integer(from) }
            if let kind { arguments["kind"] = .string(kind) }
            if let to { arguments["to_ms"] = .integer(to) }
            let set = try await control.ask(.analyticsExporter, "campaign.set", .object(arguments))
            return AdminAnswer(value: set, text: AdminTable.lines(of: set, first: ["id"]))
        }
    }

    struct Remove: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Removes a campaign; what it has granted stays.")

        @Argument(help: "Its name.") var id: String
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let answer = try await control.ask(.analyticsExporter, "campaign.remove", ["id": .string(id)])
            return AdminAnswer(value: answer, text: "campaign \(id) is removed")
        }
    }
}
