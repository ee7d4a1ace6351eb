import ArgumentParser
import CommandSupport
import Foundation
import ServiceKit

/// A command below `nkul admin` that asks something and shows the answer.
protocol AdminAction: AsyncParsableCommand {
    var options: AdminOptions { get }

    /// Asks, and puts the answer into words.
    func ask(_ control: ControlClients) async throws -> AdminAnswer
}

extension AdminAction {
    func run() async throws {
        let common = try await options.settings.common()
        let answer = try await ask(ControlClients(home: common.home, services: common.services))
        print(options.json ? answer.value.text : answer.text)
        guard let problem = answer.problem else { return }
        FileHandle.standardError.write(Data("nkul: \(problem)\n".utf8))
        throw ExitCode(1)
    }
}

/// The options of every command below `nkul admin`.
struct AdminOptions: ParsableArguments {
    @OptionGroup var settings: CommandSettings

    @Flag(name: .long, help: "One line of JSON.")
    var json = false
}

/// An answer of `nkul admin`, for machines and for people.
struct AdminAnswer: Sendable, Equatable {
    /// What `--json` prints.
    let value: JSONValue
    /// What else is printed; without a final end of line.
    let text: String
    /// Why the command fails all the same: one sentence for stderr.
    var problem: String?
}

extension AdminAnswer {
    /// The answer to a call that lists something: an array, or an object with an array under `member`.
    static func list(
        _ value: JSONValue, _ member: String, _ columns: [AdminTable.Column], none: String
    ) -> AdminAnswer {
        let rows = value.array ?? value[member]?.array ?? []
        return AdminAnswer(value: value, text: AdminTable(columns: columns).text(of: rows, none: none))
    }
}
