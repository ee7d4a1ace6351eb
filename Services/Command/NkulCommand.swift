public import ArgumentParser
import ServiceKit

/// `nkul`, the operator's command line.
public struct NkulCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "nkul",
        abstract: "Runs, feeds and looks after Nkul, the back end for crowdsourced mobile Quality of Experience.",
        discussion: """
            Settings are environment variables (NKUL_HOME and others; see "nkul up --help") or a JSON file (--config).
            Exit codes: 0 done, 1 failed, 2 wrong usage. Results go to stdout, progress to stderr.
            """,
        version: "nkul \(Version.text)",
        subcommands: [
            UpCommand.self, ImportCommand.self, ReplayCommand.self, TailCommand.self, DoctorCommand.self,
            ReadyCommand.self, LaneKeysCommand.self,
            SimulateCommand.self,
            AdminCommand.self, BackupCommand.self, RestoreCommand.self,
        ])

    public init() {}
}
