import ArgumentParser
import CommandSupport
import Foundation
import Models
import ServiceKit

/// `nkul admin erasure`: what subscribers had erased, and how it stands.
struct AdminErasure: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erasure", abstract: "Erasures of subscribers' data.",
        subcommands: [Add.self, List.self, Show.self, AdminErasureExport.self, AdminErasureVerify.self])

    struct Add: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Erases a device and everything known of it, or its records of a time or an area.",
            discussion: """
                Without --from, --to and --polygon everything goes: the device's token is worthless at once, which cannot be undone. \
                Records that come later are refused.
                """)

        @Argument(help: "The device's UUID or number.") var device: String
        @Option(
            name: .long, help: "Only records captured from then on: RFC 3339, e.g. 2026-03-01T00:00:00+01:00.",
            transform: InstantArgument.text)
        var from: String?
        @Option(name: .long, help: "Only records captured before: RFC 3339.", transform: InstantArgument.text)
        var to: String?
        // Western and southern corners begin with a minus, which is no option.
        @Option(
            name: .long, parsing: .unconditional,
            help: "Only records inside: \"lon,lat lon,lat lon,lat …\", degrees, in one pair of quotes.")
        var polygon: String?
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            var scope: [String: JSONValue] = [:]
            if let from { scope["from"] = .string(from) }
            if let to { scope["to"] = .string(to) }
            if let polygon { scope["polygon"] = try corners(polygon) }
            var arguments: [String: JSONValue] = ["device": .string(device)]
            arguments["scope"] = scope.isEmpty ? ["all": true] : .object(scope)
            let taken = try await control.ask(.ingest, "erasure.add", .object(arguments))
            let due = AdminTable.time(taken["expected_completion_time_ms"]?.integer ?? 0)
            return AdminAnswer(
                value: taken,
                text: """
                    erasure \(AdminTable.words(taken["request_id"])) is taken, due \(due)
                    See nkul admin erasure show \(AdminTable.words(taken["request_id"]))
                    """)
        }

        private func corners(_ text: String) throws -> JSONValue {
            let corners = text.split { $0.isWhitespace }
            guard corners.count >= 3 else {
                throw ServiceError(.usage, "--polygon is \"lon,lat lon,lat lon,lat …\" with at least three corners")
            }
            return .array(try corners.map(corner))
        }

        /// An erasure cannot be undone, so a corner is exactly what was meant or is refused.
        private func corner(_ text: Substring) throws -> JSONValue {
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            guard parts.count == 2, let longitude = Double(parts[0]), let latitude = Double(parts[1]),
                abs(longitude) <= 180, abs(latitude) <= 90
            else {
                throw ServiceError(
                    .usage,
                    "--polygon: the corner \"\(text)\" is not lon,lat in degrees, within ±180 and ±90")
            }
            return [.number(longitude), .number(latitude)]
        }
    }

    struct List: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Erasures, the newest first, a page at a time, and how many are open and late.")

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
            let page = try await control.ask(.privacyWorker, "erasure.list", .object(arguments))
            let list = AdminAnswer.list(page, "erasures", Self.columns, none: "no erasures")
            var lines = [list.text, "", Self.counts(page)]
            if let before = page["before"]?.integer, let request = page["before_request"]?.string {
                lines.append("More: --before \(before) --before-request \(request)")
            }
            return AdminAnswer(value: page, text: lines.joined(separator: "\n"))
        }

        private static func counts(_ page: JSONValue) -> String {
            func count(_ name: String) -> Int64 { page[name]?.integer ?? 0 }
            return "\(count("open")) open, \(count("late")) late, \(count("completed")) completed"
        }

        private static let columns: [AdminTable.Column] = [
            .text("request"), .text("state"), .text("source"), .time("requested_at_ms", "REQUESTED"),
            .time("due_at_ms", "DUE"), .time("completed_at_ms", "COMPLETED"),
            .init(title: "SIGNED", isRight: true) { "\($0["receipts"]?.array?.count ?? 0)" },
        ]
    }

    struct Show: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "How an erasure stands, and who has signed it.",
            discussion: "With --json what it prints can be checked by \"nkul admin erasure verify\".")

        @Argument(help: "The request.") var request: String
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let order = try await control.ask(.privacyWorker, "erasure.show", ["request": .string(request)])
            let receipts = order["receipts"]?.array ?? []
            let signed = receipts.map { receipt in
                "  \(AdminTable.words(receipt["service"])) \(AdminTable.time(receipt["signed_at_ms"]?.integer ?? 0)), "
                    + "\(receipt["removed"]?.integer ?? 0) records"
            }
            let lines = AdminTable.lines(
                of: order, first: ["request", "state", "source", "requested_at_ms", "due_at_ms", "completed_at_ms"])
            let missing = Set(ServiceName.built.map(\.rawValue))
                .subtracting(receipts.compactMap { $0["service"]?.string })
            let waits = missing.isEmpty ? [] : ["waits for \(missing.sorted().joined(separator: ", "))"]
            return AdminAnswer(
                value: order,
                text: ([lines, "signed by \(receipts.count) of 6"] + signed + waits).joined(separator: "\n"))
        }
    }
}
