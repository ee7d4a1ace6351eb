package import ArgumentParser
import CommandSupport
import Foundation
import Models
import ServiceKit

/// `nkul restore`: a home out of a backup.
package struct RestoreCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Makes a home of a backup.",
        discussion: """
            The services of the previous home must not run any more, on whatever machine. What was ordered to be erased since \
            the backup is erased again: say where the orders are, or that there are none. Nothing is written before the whole \
            backup is found to be as it was made. docs/backup.md tells what is lost and what is not.
            """)

    @Argument(help: "The backup.") var file: String
    @Option(name: .long, help: "The file with the identity.") var identity: String
    @Option(name: .long, help: "Erasures ordered so far: what \"nkul admin erasure export\" wrote, kept elsewhere.")
    var orders: String?
    @Option(name: .long, help: "The home that is replaced, if it can still be read: erasures are looked up there.")
    var previousHome: String?
    @Flag(name: .long, help: "Nobody asked for an erasure since the backup.") var noLaterOrders = false
    @OptionGroup var options: CommandSettings
    @Flag(name: .long, help: "Print JSON.") var json = false

    package init() {}

    package func validate() throws {
        guard [orders != nil, previousHome != nil, noLaterOrders].count(where: { $0 }) == 1 else {
            throw ValidationError(
                "say what was to be erased since the backup: --orders FILE, --previous-home DIR, or --no-later-orders")
        }
    }

    package func run() async throws {
        let later: LaterOrders =
            if let orders { .file(orders) } else if let previousHome { .previousHome(Home(path: previousHome)) } else {
                .none
            }
        let run = RestoreRun(
            file: file, home: try await options.common().home, identity: try BackupKey.identity(at: identity),
            orders: later, now: SystemTime.unixMilliseconds())
        let outcome = try await Interrupt.watching { try run.run($0) }
        print(json ? try SortedJSON.text(of: outcome) : Self.text(outcome))
    }

    private static func text(_ outcome: RestoreRun.Outcome) -> String {
        """
        \(outcome.home) is as it was at \(AdminTable.time(outcome.backed_up_at_ms)): \(outcome.files) files.
        Erasures ordered since: \(outcome.orders_since), of devices that are in the backup: \(outcome.erased_again).
        Start the services ("nkul up"); they do the rest, and "nkul doctor" tells when all have.
        """
    }
}
