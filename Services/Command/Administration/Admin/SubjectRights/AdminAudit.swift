import ArgumentParser
import CommandSupport
import ServiceKit

/// `nkul admin audit`: the log of what was done with personal data.
struct AdminAudit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "The log of what was done with personal data.",
        subcommands: [List.self, Show.self, Export.self, Verify.self])

    struct List: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Entries, the newest first, a page at a time.")

        @Option(name: .long, help: "Begin before this number.") var before: Int64?
        @Option(name: .long, help: "At most so many, 1…200.") var limit: Int64 = 50
        @OptionGroup var options: AdminOptions

        func validate() throws {
            guard (1...200).contains(limit) else { throw ValidationError("--limit is 1…200") }
        }

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            var arguments: [String: JSONValue] = ["limit": .integer(limit)]
            if let before { arguments["before"] = .integer(before) }
            let page = try await control.ask(.privacyWorker, "audit.list", .object(arguments))
            let list = AdminAnswer.list(page, "entries", Self.columns, none: "no entries")
            guard let next = page["next"]?.integer else { return list }
            return AdminAnswer(value: page, text: list.text + "\n\nMore: --before \(next)")
        }

        private static let columns: [AdminTable.Column] = [
            .figure("number"), .time("at_ms", "WHEN"), .text("actor"), .text("action"),
            .init(title: "SUBJECT", isRight: false) { String(AdminTable.words($0["subject"]).prefix(12)) },
            .text("detail"),
        ]
    }

    struct Show: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "An entry with its subject (HMAC of the device) and its hashes.")

        @Argument(help: "The entry's number.") var number: Int64
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let entry = try await control.ask(.privacyWorker, "audit.show", ["number": .integer(number)])
            return AdminAnswer(
                value: entry,
                text: AdminTable.lines(of: entry, first: ["number", "at_ms", "actor", "action", "detail"]))
        }
    }

    /// Writes the whole log into a file.
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Writes the log into a file, to be kept where the home is not.",
            discussion: """
                An entry a line (JSON), the oldest first; the last line is the signed head. It names devices by HMAC. Only such \
                a copy reveals a rolled-back log.
                """)

        @Option(name: .shortAndLong, help: "A file that is not there yet; it appears when it is complete.") var output:
            String
        @OptionGroup var options: AdminOptions

        /// Entries of one call.
        private static let page: Int64 = 200

        func run() async throws {
            let control = ControlClients(home: try await options.settings.common().home)
            let file = try DraftFile(output, mode: 0o600, isReplacing: false)
            var entries: Int64 = 0, next: Int64? = 0, head: JSONValue?
            while let after = next {
                let page = try await control.ask(
                    .privacyWorker, "audit.list", ["after": .integer(after), "limit": .integer(Self.page)])
                guard let lines = page["entries"]?.array else {
                    throw ServiceError(
                        .failed, "the privacy worker answered without entries, so \(output) is not written")
                }
                try file.write(Array(lines.map { $0.text + "\n" }.joined().utf8))
                entries += Int64(lines.count)
                (next, head) = (page["next"]?.integer, page["head"])
            }
            if let head { try file.write(Array((JSONValue.object(["head": head]).text + "\n").utf8)) }
            try file.sync()
            try file.publish()
            print(
                options.json ? JSONValue.object(["entries": .integer(entries)]).text : "\(output): \(entries) entries")
        }
    }

    struct Verify: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract:
                "Checks the chain of the audit log: edits, removals, reordering, truncation. Exit code 1 if it is broken."
        )

        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let result = try await control.ask(.privacyWorker, "audit.verify", timeout: .seconds(60))
            let fault = result["fault"]?.string ?? "the audit log is not what was written"
            return AdminAnswer(
                value: result, text: AdminTable.lines(of: result, first: ["sound", "entries"]),
                problem: result["sound"] == true ? nil : fault)
        }
    }
}
