import ArgumentParser
import CommandSupport
import Foundation
import ServiceKit

/// `nkul admin rewards`: the books of rewards, and what is paid by file.
struct AdminRewards: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rewards",
        abstract:
            "The books of rewards; statements of providers; grants that wait for a person; where the provider calls back; orders and results of what is paid by file.",
        subcommands: [Balance.self, Reconcile.self, Waiting.self, Settle.self, Callback.self, Write.self, Result.self])

    struct Balance: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "balance", abstract: "What is in the accounts of the ledger, and the grants by state.")

        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let answer = try await control.ask(.rewardDispatcher, "rewards.balance")
            func lines(_ member: String, _ unit: String) -> [String] {
                (answer[member]?.object ?? [:]).sorted { $0.key < $1.key }.map {
                    "\($0.key) \($0.value.integer ?? 0)\(unit)"
                }
            }
            let sum = answer["sum"]?.integer ?? 0
            return AdminAnswer(
                value: answer,
                text: (lines("accounts", " XAF") + ["sum \(sum) XAF"] + lines("grants", "")).joined(separator: "\n"),
                problem: sum == 0 ? nil : "the accounts do not add up")
        }
    }

    struct Reconcile: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "reconcile", abstract: "Compares a provider's statement with the books.",
            discussion: """
                FILE is CSV with a header that has the columns reference (ours) and result (paid, failed, rejected or reversed), and \
                may have amount_xaf. Nothing is changed; the provider is asked about what differs. With --from and --to payments of \
                that time that the statement lacks are named, too. Exit code 1 if anything differs.
                """)

        @Argument(help: "The file.") var file: String
        @Option(name: .long, help: "RFC 3339: orders given from then on.", transform: InstantArgument.milliseconds)
        var from: Int64?
        @Option(name: .long, help: "RFC 3339: and before.", transform: InstantArgument.milliseconds) var to: Int64?
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let path = URL(fileURLWithPath: file).standardizedFileURL.path
            var arguments: [String: JSONValue] = ["path": .string(path)]
            if let from { arguments["from_ms"] = .integer(from) }
            if let to { arguments["to_ms"] = .integer(to) }
            let answer = try await control.ask(.rewardDispatcher, "rewards.reconcile", .object(arguments))
            let (problems, count) = Self.problems(of: answer)
            let missing = (answer["missing_references"]?.array ?? []).compactMap {
                $0.string.map { "not in the statement: \($0)" }
            }
            let lacking = answer["missing"]?.integer ?? 0
            let sums =
                "\(answer["matched"]?.integer ?? 0) agree, \(answer["statement_paid_xaf"]?.integer ?? 0) XAF paid"
            return AdminAnswer(
                value: answer, text: ([sums] + problems + missing).joined(separator: "\n"),
                problem: count == 0 && lacking == 0
                    ? nil : "\(count) rows differ, \(lacking) payments are not in the statement")
        }
    }

    struct Write: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "write", abstract: "Writes the orders that are in no file yet into one.",
            discussion:
                "The file is in NKUL_REWARD_DISPATCHER_CSV_DIRECTORY, and beside it its SHA-256, as \"sha256sum -c\" reads it."
        )

        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let answer = try await control.ask(.rewardDispatcher, "rewards.write")
            let files = answer["files"]?.array ?? []
            let lines = files.map { "\($0["sha256"]?.string ?? "")  \($0["file"]?.string ?? "")" }
            return AdminAnswer(value: answer, text: lines.isEmpty ? "no orders wait" : lines.joined(separator: "\n"))
        }
    }

    struct Result: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "result", abstract: "Takes over what became of orders.",
            discussion: """
                FILE is CSV with a header that has the columns reference and result (paid, failed, rejected or reversed), and may have \
                amount_xaf and note. A row at fault is named and left out; the others count. Exit code 1 if there is one.
                """)

        @Argument(help: "The file.") var file: String
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let path = URL(fileURLWithPath: file).standardizedFileURL.path
            let answer = try await control.ask(.rewardDispatcher, "rewards.result", ["path": .string(path)])
            let (problems, count) = Self.problems(of: answer)
            let sums = "\(answer["applied"]?.integer ?? 0) applied, \(answer["unchanged"]?.integer ?? 0) known before"
            return AdminAnswer(
                value: answer, text: ([sums] + problems).joined(separator: "\n"),
                problem: count == 0 ? nil : "\(count) rows are left out")
        }
    }
}

extension AdminAction {
    /// A line for each row at fault that is named, and one for those that are not; and how many there are.
    fileprivate static func problems(of answer: JSONValue) -> (lines: [String], count: Int64) {
        let named = (answer["problems"]?.array ?? []).map {
            "line \($0["line"]?.integer ?? 0): \($0["what"]?.string ?? "")"
        }
        let count = answer["problem_count"]?.integer ?? Int64(named.count), others = count - Int64(named.count)
        return (named + (others > 0 ? ["and \(others) more"] : []), count)
    }
}
