import ArgumentParser
import CommandSupport
import Foundation
import ServiceKit

/// `nkul admin retention`: what is kept for how long, and what was deleted.
struct AdminRetention: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retention", abstract: "What is kept for how long, and what was deleted.",
        subcommands: [Show.self, List.self, AdminRetentionRun.self])

    struct Show: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "How long each kind of data is kept, the next run, and what the last one did.",
            discussion: "With a run's name (nkul admin retention list) what every service did of it.")

        @Argument(help: "A run; without it, the policy and the last one.") var run: String?
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            if let run {
                return AdminRetention.answer(
                    try await control.ask(.privacyWorker, "retention.order", ["order": .string(run)]))
            }
            let shown = try await control.ask(.privacyWorker, "retention.show")
            let policy = AdminTable(columns: Self.policy).text(of: shown["policy"]?.array ?? [], none: "no policy")
            let next = AdminTable.time(shown["next_run_ms"]?.integer ?? 0)
            var lines = [
                policy, "",
                "daily at \(AdminTable.words(shown["at"])) (\(AdminTable.words(shown["time_zone"]))), next \(next)",
            ]
            if let last = shown["last_run"], last.object != nil { lines += ["", AdminRetention.text(of: last)] }
            return AdminAnswer(value: shown, text: lines.joined(separator: "\n"))
        }

        private static let policy: [AdminTable.Column] = [
            .text("kind"), .figure("days"), .text("services"), .figure("removed", "LAST REMOVED"),
            AdminRetention.oldest,
        ]
    }

    struct List: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Runs and dry runs, the newest first.")

        @Option(name: .long, help: "At most so many, 1…400.") var limit: Int64 = 50
        @OptionGroup var options: AdminOptions

        func validate() throws {
            guard (1...400).contains(limit) else { throw ValidationError("--limit is 1…400") }
        }

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let runs = try await control.ask(.privacyWorker, "retention.list", ["limit": .integer(limit)])
            return .list(runs, "", Self.columns, none: "no run yet")
        }

        private static let columns: [AdminTable.Column] = [
            .text("order", "RUN"), .text("source"), .text("dry_run", "DRY RUN"), .time("issued_at_ms", "ORDERED"),
            .time("completed_at_ms", "COMPLETED"), .figure("removed"), .figure("bytes"),
            .text("missing", "WAITS FOR"),
        ]
    }

    fileprivate static let oldest = AdminTable.Column(title: "OLDEST LEFT", isRight: false) { row in
        row["oldest_ms"]?.integer.map { AdminTable.time($0) } ?? "-"
    }

    /// A run with what every service did of it.
    static func answer(_ order: JSONValue) -> AdminAnswer { AdminAnswer(value: order, text: text(of: order)) }

    static func text(of order: JSONValue) -> String {
        let rows = (order["reports"]?.array ?? []).flatMap { report -> [JSONValue] in
            (report["kinds"]?.object ?? [:]).sorted { $0.key < $1.key }.map { kind, figures in
                var row = figures.object ?? [:]
                row["service"] = report["service"] ?? .null
                row["kind"] = .string(kind)
                row["before_ms"] = order["cutoffs"]?[kind] ?? .null
                return .object(row)
            }
        }
        let isDryRun = order["dry_run"] == true
        let heading =
            "\(AdminTable.words(order["order"])), ordered \(AdminTable.time(order["issued_at_ms"]?.integer ?? 0))"
            + (isDryRun ? ": nothing was deleted, this would be" : "")
        let columns: [AdminTable.Column] =
            [
                .text("service"), .text("kind"), .time("before_ms", "OLDER THAN"),
                .figure("removed", isDryRun ? "WOULD GO" : "REMOVED"), .figure("bytes"),
            ] + (isDryRun ? [] : [oldest])
        let missing = order["missing"]?.array ?? []
        let waits = missing.isEmpty ? [] : ["waits for \(missing.map { AdminTable.words($0) }.joined(separator: ", "))"]
        return ([heading, AdminTable(columns: columns).text(of: rows, none: "nobody has reported yet")] + waits)
            .joined(separator: "\n")
    }
}

/// `nkul admin retention run`: deletes what is too old now, or says what would go.
struct AdminRetentionRun: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Deletes what is too old now, as the daily run does.",
        discussion: "With --dry-run nothing is deleted; it says what would go, by kind and service.")

    @Flag(name: .long, help: "Delete nothing, only count; waits for everybody.") var dryRun = false
    @Flag(name: .long, help: "Wait until every service has executed it.") var wait = false
    @Option(name: .long, help: "Wait so many seconds at most, 1…3600.") var timeout: Int64 = 120
    @OptionGroup var options: AdminOptions

    func validate() throws {
        guard (1...3_600).contains(timeout) else { throw ValidationError("--timeout is 1…3600") }
    }

    func ask(_ control: ControlClients) async throws -> AdminAnswer {
        let given = try await control.ask(
            .privacyWorker, "retention.run", ["dry_run": .bool(dryRun)], timeout: .seconds(30))
        let run = AdminTable.words(given["order"])
        guard wait || dryRun else {
            return AdminAnswer(value: given, text: "\(run) is ordered\nSee nkul admin retention show \(run)")
        }
        let deadline = ContinuousClock.now + .seconds(timeout)
        while true {
            let order = try await control.ask(.privacyWorker, "retention.order", ["order": .string(run)])
            var answer = AdminRetention.answer(order)
            if (order["completed_at_ms"]?.integer ?? 0) > 0 { return answer }
            guard ContinuousClock.now < deadline else {
                let missing = (order["missing"]?.array ?? []).map { AdminTable.words($0) }.joined(separator: ", ")
                answer.problem = "\(run) is not executed yet by \(missing)"
                return answer
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }
}
