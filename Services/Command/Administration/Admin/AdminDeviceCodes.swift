import ArgumentParser
import CommandSupport
import ServiceKit

/// `nkul admin device codes`: activation codes, which enrol a phone once.
struct AdminDeviceCodes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "codes", abstract: "Activation codes, each of which enrols one phone.",
        subcommands: [Add.self, List.self, Revoke.self])

    struct Add: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Makes a batch of codes and prints them, once: nobody can ask for them again."
        )

        @Option(name: .long, help: "How many, 1…10000.") var count: Int64 = 1
        @Option(name: .customLong("expires-in"), help: "Days until they expire, 1…366.") var days: Int64
        @Option(name: .long, help: "Who they are for; shown by list.") var note: String?
        @OptionGroup var options: AdminOptions

        func validate() throws {
            guard (1...10_000).contains(count), (1...366).contains(days) else {
                throw ValidationError("--count is 1…10000, --expires-in 1…366 days")
            }
        }

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            var arguments: [String: JSONValue] = ["count": .integer(count), "expires_in_days": .integer(days)]
            if let note { arguments["note"] = .string(note) }
            let added = try await control.ask(.ingest, "code.add", .object(arguments))
            let codes = added["codes"]?.array?.compactMap(\.string) ?? []
            return AdminAnswer(value: added, text: codes.joined(separator: "\n"))
        }
    }

    struct List: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Batches of codes, the newest first: how many are unused, used, expired, revoked.")

        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let list = try await control.ask(.ingest, "code.list")
            return AdminAnswer.list(
                list, "batches",
                [
                    .figure("batch"), .text("note"), .time("created_at_ms", "CREATED"),
                    .time("expires_at_ms", "EXPIRES"),
                    .figure("unused"), .figure("used"), .figure("expired"), .figure("revoked"),
                ], none: "no activation codes")
        }
    }

    struct Revoke: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Makes what is unused of a batch worthless. Phones that used a code stay enrolled.")

        @Argument(help: "The batch's number.") var batch: Int64
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let revoked = try await control.ask(.ingest, "code.revoke", ["batch": .integer(batch)])
            return AdminAnswer(
                value: revoked,
                text: "batch \(batch): \(AdminTable.words(revoked["revoked"])) codes are revoked, "
                    + "\(AdminTable.words(revoked["used"])) had been used")
        }
    }
}
