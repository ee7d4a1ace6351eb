import ArgumentParser
import Foundation
import ServiceKit

/// A command below `nkul admin` that asks something and shows the answer.
protocol AdminAction: AsyncParsableCommand {
    var options: AdminOptions { get }

    /// Asks, and puts the answer into words.
    func ask(_ desk: AdminDesk) async throws -> AdminAnswer
}

extension AdminAction {
    func run() async throws {
        let answer = try await ask(AdminDesk(home: try await options.settings.common().home))
        print(options.json ? answer.value.text : answer.text)
        guard let problem = answer.problem else { return }
        FileHandle.standardError.write(Data("nkul: \(problem)\n".utf8))
        throw ExitCode(1)
    }
}
