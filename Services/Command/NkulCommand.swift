internal import Administration
public import ArgumentParser
internal import Foundation
internal import Laboratory
internal import ServiceKit

/// `nkul`, the operator's command line.
public struct NkulCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "nkul",
        abstract: "Runs, feeds and looks after Nkul, the back end for crowdsourced mobile Quality of Experience.",
        discussion: """
            Settings are environment variables (NKUL_HOME and others; see "nkul up --help") or a JSON file (--config). Exit \
            codes: 0 done, 1 failed, 2 wrong usage. Results go to stdout, progress to stderr.
            """,
        version: "nkul \(Version.text)",
        subcommands: [
            UpCommand.self, ImportCommand.self, ReplayCommand.self, TailCommand.self, DoctorCommand.self,
            ReadyCommand.self, LaneKeysCommand.self,
            SimulateCommand.self, PhoneCommand.self,
            AdminCommand.self, ExportCommand.self, BackupCommand.self, RestoreCommand.self,
        ])

    public init() {}
}

extension NkulCommand {
    /// Parses the process's arguments, runs what they ask for and ends the process: 0 done, 1 failed, 2 wrong usage.
    public static func start() async -> Never {
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            Foundation.exit(0)
        } catch {
            Foundation.exit(report(error, arguments: Array(CommandLine.arguments.dropFirst())))
        }
    }

    /// Says what went wrong and gives the exit code for it.
    ///
    /// - Parameter arguments: of the process, for a hint at what was meant.
    static func report(_ error: any Error, arguments: [String] = []) -> Int32 {
        switch error {
        case let code as ExitCode:
            return code.rawValue
        case let error as ServiceError:
            say("nkul: \(error)")
            return error.exitCode
        default:
            return reportParsing(error, arguments)
        }
    }

    /// What ArgumentParser throws: help and version are answers, the rest is wrong usage or a command's own error.
    private static func reportParsing(_ error: any Error, _ arguments: [String]) -> Int32 {
        let text = HelpText.fitted(fullMessage(for: error))
        switch exitCode(for: error) {
        case .success:
            print(text)
            return 0
        case .validationFailure:
            say(CommandHint.text(for: arguments).map { "nkul: \($0)" } ?? text)
            return 2
        default:
            say("nkul: \(error)")
            return 1
        }
    }

    private static func say(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
