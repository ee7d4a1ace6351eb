import ArgumentParser
import Testing

@testable import Command

/// What `--help` prints on a terminal of 80 columns.
struct HelpTests {
    private static let commands: [any ParsableCommand.Type] = below(NkulCommand.self)

    private static func below(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap(below)
    }

    @Test func `there are as many commands as can be called`() { #expect(Self.commands.count > 40) }

    @Test(arguments: commands.indices)
    func `help fits 80 columns, and breaks lines only where they are full`(index: Int) throws {
        let help = HelpText.fitted(NkulCommand.helpMessage(for: Self.commands[index], columns: 80))
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for line in lines { #expect(line.count <= 80, "\(line)") }
        let overview = lines.prefix { !$0.hasPrefix("USAGE:") }
        for (line, next) in zip(overview, overview.dropFirst()) where !line.isEmpty && !next.isEmpty {
            let word = next.prefix { $0 != " " }
            // ArgumentParser leaves the last column free.
            #expect(line.count + 1 + word.count >= 80, "breaks too early: \(line)")
        }
    }
}
