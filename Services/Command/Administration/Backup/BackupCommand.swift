package import ArgumentParser
import CommandSupport
import Foundation
import Models
import ServiceKit

/// `nkul backup`: a home, sealed, in one file.
package struct BackupCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Makes a sealed backup of a home, also while its services run.",
        discussion: """
            Only who has the identity that belongs to the recipient can read it: make the pair once, elsewhere, with \
            "nkul backup key", and keep the identity where the home is not. docs/backup.md tells the rest.
            """, subcommands: [Create.self, Key.self, Verify.self], defaultSubcommand: Create.self)

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Makes a backup (this is what \"nkul backup\" does).")

        @Option(name: .shortAndLong, help: "The file to write; it must not exist.") var output: String
        @Option(name: .long, help: "The recipient: what \"nkul backup key\" printed, or a file with it.") var to: String
        @OptionGroup var options: CommandSettings
        @Flag(name: .long, help: "Print the manifest as JSON.") var json = false

        func run() async throws {
            let home = try await options.common().home
            guard FileManager.default.fileExists(atPath: home.path) else {
                throw ServiceError(.home, "there is no home at \(home.path); set NKUL_HOME or --home")
            }
            let run = BackupRun(
                home: home, file: output, recipient: try BackupKey.recipient(to), now: SystemTime.unixMilliseconds())
            let manifest = try await Interrupt.watching { try run.run($0) }
            print(json ? try SortedJSON.text(of: manifest) : "\(output): \(BackupText.summary(manifest))")
        }
    }

    struct Key: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "key",
            abstract: "Makes a pair of keys: the identity into a file, the recipient onto the screen.",
            discussion: """
                Who has the file can read every backup that is made for the recipient. Without it nobody can. The machine \
                that makes backups needs the recipient only.
                """)

        @Option(name: .shortAndLong, help: "The file for the identity; it must not exist.") var output: String
        @Flag(name: .long, help: "Print JSON.") var json = false

        func run() throws {
            let pair = try BackupKey.make()
            try BackupKey.write(identity: pair.identity, to: output)
            print(json ? try SortedJSON.text(of: ["recipient": pair.recipient]) : pair.recipient)
        }
    }

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Reads a backup to its end; exit code 0 only if every byte is as it was written.")

        @Argument(help: "The backup.") var file: String
        @Option(name: .long, help: "The file with the identity.") var identity: String
        @Flag(name: .long, help: "Print the manifest as JSON.") var json = false

        func run() async throws {
            let key = try BackupKey.identity(at: identity), file = file
            let manifest = try await Interrupt.watching { try BackupCheck.run(file, identity: key, $0) }
            print(json ? try SortedJSON.text(of: manifest) : BackupText.table(manifest))
        }
    }

    package init() {}
}

/// A backup in words.
enum BackupText {
    /// One line.
    static func summary(_ manifest: BackupManifest) -> String {
        "\(manifest.files.count) files, \(megabytes(manifest.bytes)), of \(AdminTable.time(manifest.createdAt))"
            + " by nkul \(manifest.nkul)"
    }

    /// Lanes and their readers, and the summary.
    static func table(_ manifest: BackupManifest) -> String {
        let rows = manifest.lanes.sorted { $0.lane.id < $1.lane.id }.map { lane in
            let readers = manifest.cursors.filter { $0.lane == lane.lane }.map { "\($0.reader) \($0.block)" }
            return [
                lane.lane.rawValue, lane.writer, String(lane.head),
                readers.isEmpty ? "-" : readers.joined(separator: ", "),
            ]
        }
        let lanes = TextTable(["LANE", "WRITTEN BY", "HEAD", "READ UP TO"], rows, right: [2]).text
        return [lanes, "", summary(manifest)].joined(separator: "\n")
    }

    private static func megabytes(_ bytes: Int) -> String {
        (Double(bytes) / 1_000_000).formatted(.number.precision(.fractionLength(1))) + " MB"
    }
}
