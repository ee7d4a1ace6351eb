import ArgumentParser
import CommandSupport
import ServiceKit

/// `nkul admin audit`: the log of what was done with personal data.
struct AdminAudit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "The log of what was done with personal data.", subcommands: [Verify.self])

    struct Verify: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract:
                "Checks the chain of the audit log: edits, removals, reordering, truncation. Exit code 1 if it is broken."
        )

        @OptionGroup var options: AdminOptions

        func ask(_ desk: AdminDesk) async throws -> AdminAnswer {
            let result = try await desk.ask(.privacyWorker, "audit.verify", timeout: .seconds(60))
            let fault = result["fault"]?.string ?? "the audit log is not what was written"
            return AdminAnswer(
                value: result, text: AdminTable.lines(of: result, first: ["sound", "entries"]),
                problem: result["sound"] == true ? nil : fault)
        }
    }
}
