public import ArgumentParser
internal import CommandSupport
public import Models
internal import ServiceKit

/// `nkul admin reader`: who reads the lanes, and whom they wait for.
struct AdminReader: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reader", abstract: "Who reads the lanes, and for whom blocks are kept.",
        subcommands: [List.self, Detach.self])

    struct List: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "The readers of every lane whose writer runs.")

        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            var readers: [JSONValue] = [], problems: [String] = []
            for (_, answer) in try await control.ask(all: control.services, "reader.list") {
                switch answer {
                case .success(let standings): readers += standings.array ?? []
                case .failure(let error) where error.code == ControlError.unknownCall: continue
                case .failure(let error): problems.append(error.message)
                }
            }
            return AdminAnswer(
                value: .array(readers), text: AdminTable(columns: Self.columns).text(of: readers, none: "no readers"),
                problem: problems.isEmpty ? nil : problems.joined(separator: "; "))
        }

        private static let columns: [AdminTable.Column] = [
            .text("lane"), .text("reader"), .figure("committed", "BLOCK"), .figure("head"),
            .init(title: "BEHIND", isRight: true) { row in
                String((row["head"]?.integer ?? 0) - (row["committed"]?.integer ?? 0))
            },
            .time("seen_at_ms", "LAST SEEN"),
            .init(title: "STATE", isRight: false) { row in
                (row["required"] == true ? "required" : "optional") + (row["detached"] == true ? ", detached" : "")
            },
        ]
    }

    struct Detach: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "detach", abstract: "Stops waiting for a reader until it joins again.",
            discussion: """
                Blocks are kept until every reader has read them. Detach one that will not come back, so that the lane does \
                not fill up. A required reader that is detached loses for good what is trimmed before it joins again: that \
                needs --force.
                """)

        @Argument(
            help: "The lane: realtime, batch, requests, alerts, rollups, rewards, privacy, operations or deliveries.")
        var lane: LaneName
        @Argument(help: "The reader's name, as \"reader list\" shows it.") var reader: String
        @Flag(name: .long, help: "Even if it is required.") var force = false
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let standing = try await control.ask(
                lane.writer, "reader.detach",
                ["lane": .string(lane.rawValue), "reader": .string(reader), "force": .bool(force)])
            return AdminAnswer(
                value: standing, text: "\(lane.rawValue) no longer waits for \(reader), until it joins again")
        }
    }
}

extension LaneName: ExpressibleByArgument {}
