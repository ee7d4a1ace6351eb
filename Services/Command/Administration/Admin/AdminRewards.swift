import ArgumentParser
import CommandSupport
import Foundation
import ServiceKit

/// `nkul admin rewards`: what is paid by file.
struct AdminRewards: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rewards", abstract: "Rewards that are paid by file: orders out, results in.",
        subcommands: [Write.self, Result.self])

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
            let problems = (answer["problems"]?.array ?? []).map {
                "line \($0["line"]?.integer ?? 0): \($0["what"]?.string ?? "")"
            }
            let sums = "\(answer["applied"]?.integer ?? 0) applied, \(answer["unchanged"]?.integer ?? 0) known before"
            return AdminAnswer(
                value: answer, text: ([sums] + problems).joined(separator: "\n"),
                problem: problems.isEmpty ? nil : "\(problems.count) rows are left out")
        }
    }
}
