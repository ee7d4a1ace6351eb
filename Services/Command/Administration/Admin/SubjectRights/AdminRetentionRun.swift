import ArgumentParser
import Foundation
import ServiceKit

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

    func ask(_ desk: AdminDesk) async throws -> AdminAnswer {
        let given = try await desk.ask(
            .privacyWorker, "retention.run", ["dry_run": .bool(dryRun)], timeout: .seconds(30))
        let run = AdminTable.words(given["order"])
        guard wait || dryRun else {
            return AdminAnswer(value: given, text: "\(run) is ordered\nSee nkul admin retention show \(run)")
        }
        let deadline = ContinuousClock.now + .seconds(timeout)
        while true {
            let order = try await desk.ask(.privacyWorker, "retention.order", ["order": .string(run)])
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
