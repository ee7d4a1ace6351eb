import ArgumentParser
import ServiceKit
import Testing

@testable import Command

struct NkulCommandTests {
    private func failure(of arguments: [String]) -> any Error {
        do {
            var command = try NkulCommand.parseAsRoot(arguments)
            try command.run()
            return ExitCode.success
        } catch {
            return error
        }
    }

    @Test(arguments: [["--nonsense"], ["nonsense"], ["up", "--nonsense"], ["doctor", "extra"], ["up", "--home"]])
    func `wrong usage ends with 2`(arguments: [String]) {
        #expect(NkulCommand.report(failure(of: arguments)) == 2)
    }

    @Test(arguments: [
        ["--help"], ["--version"], ["up", "--help"], ["doctor", "--help"], ["ready", "--help"],
        ["lane-keys", "--help"],
    ])
    func `help and version are answers`(arguments: [String]) {
        #expect(NkulCommand.report(failure(of: arguments)) == 0)
    }

    @Test func `settings that are wrong end with 2, other failures with 1`() {
        #expect(NkulCommand.report(ServiceError(.usage, "NKUL_X: wrong")) == 2)
        #expect(NkulCommand.report(ServiceError(.home, "no home")) == 1)
        #expect(NkulCommand.report(ExitCode(7)) == 7)
    }

    @Test(arguments: [
        (["status"], "nkul admin status"), (["ps"], "nkul admin status"), (["stop"], "Ctrl-C"), (["logs"], "stderr"),
        (["erasure", "list"], "\"nkul admin erasure\""), (["replai", "x"], "did you mean \"nkul replay\"?"),
        (["wobble"], "there are up, "),
    ])
    func `a command that there is not hints at what there is`(arguments: [String], hint: String) throws {
        #expect(try #require(CommandHint.text(for: arguments)).contains(hint))
    }

    @Test(arguments: [[], ["up"], ["help", "up"], ["admin", "nonsense"], ["--nonsense"]])
    func `a command that there is needs no hint`(arguments: [String]) {
        #expect(CommandHint.text(for: arguments) == nil)
    }

    @Test(arguments: [
        ["admin", "campaign", "set", "c", "--amount", "5", "--from", "tomorrow"],
        ["admin", "erasure", "add", "7", "--to", "tomorrow"], ["import", "f", "-o", "g", "--captured-at", "tomorrow"],
    ])
    func `a time that is none is refused with its format in words`(arguments: [String]) throws {
        let error = #expect(throws: (any Error).self) { try NkulCommand.parseAsRoot(arguments) }
        let text = NkulCommand.fullMessage(for: try #require(error))
        #expect(
            text.contains("tomorrow") && text.contains("expected RFC 3339, e.g. 2026-03-01T00:00:00+01:00"), "\(text)")
    }
}
