import ArgumentParser
import CommandSupport
import Foundation
import ServiceKit

/// `nkul admin access`: copies of everything that is held about subscribers who asked for it.
struct AdminAccess: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "access", abstract: "Copies of what is held about a subscriber.",
        subcommands: [Add.self, List.self, Show.self, Save.self])

    struct Add: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Has everything gathered that is held about a device.",
            discussion: """
                For a subscriber who asked by letter or in person. The copy is kept for 24 hours: save it with \
                "nkul admin access save" and hand it over. Who asked is in the audit log.
                """)

        @Argument(help: "The device's UUID or number.") var device: String
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let taken = try await control.ask(.ingest, "access.add", ["device": .string(device)])
            let request = AdminTable.words(taken["request_id"])
            let end = AdminTable.time(taken["expires_at_ms"]?.integer ?? 0)
            return AdminAnswer(
                value: taken,
                text: """
                    request \(request) is taken, kept until \(end)
                    See nkul admin access show \(request), then nkul admin access save \(request) --output FILE
                    """)
        }
    }

    struct List: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Requests of the last 30 days, the newest first, a page at a time.")

        @Option(name: .long, help: "Begin before this time, Unix milliseconds.") var before: Int64?
        @Option(name: .long, help: "Of those of that time, begin before this request.") var beforeRequest: String?
        @Option(name: .long, help: "At most so many, 1…200.") var limit: Int64 = 50
        @OptionGroup var options: AdminOptions

        func validate() throws {
            guard (1...200).contains(limit) else { throw ValidationError("--limit is 1…200") }
        }

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            var arguments: [String: JSONValue] = ["limit": .integer(limit)]
            if let before { arguments["before"] = .integer(before) }
            if let beforeRequest { arguments["before_request"] = .string(beforeRequest) }
            let page = try await control.ask(.privacyWorker, "access.list", .object(arguments))
            let list = AdminAnswer.list(page, "requests", Self.columns, none: "no requests")
            func count(_ name: String) -> Int64 { page[name]?.integer ?? 0 }
            var lines = [list.text, "", "\(count("open")) open, \(count("completed")) to be fetched"]
            if let before = page["before"]?.integer, let request = page["before_request"]?.string {
                lines.append("More: --before \(before) --before-request \(request)")
            }
            return AdminAnswer(value: page, text: lines.joined(separator: "\n"))
        }

        private static let columns: [AdminTable.Column] = [
            .text("request"), .text("state"), .text("source"), .time("requested_at_ms", "REQUESTED"),
            .time("completed_at_ms", "COMPLETED"), .time("expires_at_ms", "KEPT UNTIL"),
        ]
    }

    struct Show: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "How a request stands, and which services have given what they hold.")

        @Argument(help: "The request.") var request: String
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let standing = try await control.ask(.privacyWorker, "access.show", ["request": .string(request)])
            let first = [
                "request", "state", "source", "requested_at_ms", "completed_at_ms", "expires_at_ms", "services",
            ]
            return AdminAnswer(value: standing, text: AdminTable.lines(of: standing, first: first))
        }
    }

    struct Save: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "save", abstract: "Writes a copy that was asked for with \"add\" into a file.",
            discussion:
                "The file is readable by its owner only. It has everything about a person: hand it over, then delete it."
        )

        @Argument(help: "The request.") var request: String
        @Option(name: .shortAndLong, help: "A file that is not there yet.") var output: String
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let file = try SecretOutput(path: output)
            var arguments: [String: JSONValue] = ["request": .string(request)], bytes = 0
            do {
                repeat {
                    let piece = try await control.ask(.ingest, "access.read", .object(arguments))
                    let data = Data(base64Encoded: piece["data"]?.string ?? "") ?? Data()
                    try file.write(data)
                    bytes += data.count
                    arguments["place"] = piece["place"]
                    arguments["offset"] = piece["offset"]
                } while arguments["place"] != nil
            } catch {
                file.remove()
                throw error
            }
            try file.close()
            return AdminAnswer(
                value: ["request": .string(request), "file": .string(output), "bytes": .integer(Int64(bytes))],
                text: "\(output): \(bytes) bytes")
        }
    }
}

/// A new file that only its owner may read.
struct SecretOutput {
    private let path: String
    private let handle: FileHandle

    /// - Throws: `ServiceError` if there is a file, or none can be made.
    init(path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else {
            throw ServiceError(.failed, "\(path) cannot be made, or is there already", errno: errno)
        }
        self.path = path
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func write(_ data: Data) throws { try handle.write(contentsOf: data) }

    func close() throws { try handle.close() }

    /// Removes what was begun.
    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
