import ArgumentParser
import CommandSupport
import ServiceKit

/// `nkul admin status`: what each service says of itself.
struct AdminStatus: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "What each service says of itself; exit code 0 only if all run and are ready.",
        discussion: "In a home of one service, as containers have, it speaks of that one.")

    @OptionGroup var options: AdminOptions

    func ask(_ control: ControlClients) async throws -> AdminAnswer {
        var rows: [JSONValue] = [], unready: [String] = []
        for (service, answer) in try await control.ask(all: control.services, "status") {
            switch answer {
            case .success(let status):
                rows.append(status)
                if status["ready"] != true { unready.append(service.executable) }
            case .failure(let error):
                rows.append(["service": .string(service.rawValue), "problem": .string(error.message)])
                unready.append(service.executable)
            }
        }
        return AdminAnswer(
            value: .array(rows), text: Self.table.text(of: rows, none: "no services"),
            problem: unready.isEmpty ? nil : "not ready: \(unready.joined(separator: ", "))")
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
