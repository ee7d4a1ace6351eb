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
}
