import ArgumentParser
import CommandSupport
import Foundation
import ServiceKit

extension AdminRewards {
    struct Waiting: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "waiting", abstract: "Grants that wait for a person.",
            discussion: """
                Those of unknown outcome about which the provider cannot be asked: look them up in its statement. Those that are \
                suspected: see what is odd. Then say what becomes of them: rewards settle.
                """)

        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let answer = try await control.ask(.rewardDispatcher, "rewards.waiting")
            return .list(answer, "grants", Self.columns, none: "no grants wait for a person")
        }

        private static let columns: [AdminTable.Column] = [
            .text("grant"), .text("campaign"), .figure("amount_xaf", "XAF"), .time("changed_at_ms", "SINCE"),
            .text("reference"), .text("reason"),
        ]
    }

    struct Settle: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "settle", abstract: "Says what becomes of a grant that waits for a person.",
            discussion: """
                paid: the provider's statement has the payment. failed: it has not, and the grant is paid again. rejected: it has not, \
                and the amount goes back into the budget. A grant that is suspected is either released, and paid, or rejected. The \
                audit log keeps the decision with --by and --why.
                """)

        enum Outcome: String, CaseIterable, ExpressibleByArgument { case paid, failed, rejected, released }

        @Argument(help: "The grant, as rewards waiting lists it.") var grant: String
        @Option(name: .customLong("as"), help: "What becomes of it: paid, failed, rejected or released.") var outcome:
            Outcome
        @Option(name: .long, help: "Why, e.g. where the statement has it; up to 100 characters.") var why: String
        @Option(name: .long, help: "Who decides; the name of the account by default.") var by: String?
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let answer = try await control.ask(
                .rewardDispatcher, "rewards.settle",
                [
                    "grant": .string(grant), "as": .string(outcome.rawValue), "why": .string(why),
                    "by": .string(by ?? NSUserName()),
                ])
            return AdminAnswer(value: answer, text: "grant \(grant) is settled as \(outcome.rawValue)")
        }
    }

    struct Callback: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "callback", abstract: "Where the provider calls back, with the secret that it is known by.",
            discussion: """
                The path at the phones' API, to be written into the provider's portal behind the address at which that is reached. \
                Where the provider is told with each order, callback_url of its file is that address alone.
                """)

        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let answer = try await control.ask(.rewardDispatcher, "rewards.callback")
            return AdminAnswer(value: answer, text: answer["path"]?.string ?? "")
        }
    }
}
