import ArgumentParser
import CommandSupport
import ServiceKit

/// `nkul admin status`: what each service says of itself.
struct AdminStatus: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "What each service says of itself; exit code 0 only if all run and are ready.")

    @OptionGroup var options: AdminOptions

    func ask(_ desk: AdminDesk) async throws -> AdminAnswer {
        var rows: [JSONValue] = [], problems: [String] = []
        for (service, answer) in try await desk.ask(all: ServiceName.built, "status") {
            switch answer {
            case .success(let status):
                rows.append(status)
                if status["ready"] != true { problems.append("\(service.executable) is not ready") }
            case .failure(let error):
                rows.append(["service": .string(service.rawValue), "problem": .string(error.message)])
                problems.append(error.message)
            }
        }
        return AdminAnswer(
            value: .array(rows), text: Self.table.text(of: rows, none: "no services"),
            problem: problems.isEmpty ? nil : problems.joined(separator: "; "))
    }

    private static let table = AdminTable(columns: [
        .text("service"), .text("version"), .figure("pid"), .time("started_at_ms", "STARTED"), .text("ready"),
        .init(title: "PROBLEM", isRight: false) { row in
            let reasons = (row["conditions"]?.array ?? []).compactMap { $0["problem"]?.string }
            return AdminTable.words(
                row["problem"] ?? (reasons.isEmpty ? nil : .string(reasons.joined(separator: "; "))))
        },
    ])
}
