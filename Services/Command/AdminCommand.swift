import ArgumentParser
import ServiceKit

/// `nkul admin`: announced, not there yet.
struct AdminCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin", abstract: "Talks to the running services (comes with a later release).",
        shouldDisplay: false)

    @Argument(parsing: .allUnrecognized) var rest: [String] = []

    func run() throws {
        throw ServiceError(
            .failed,
            "\"admin\" comes with a later release; until then there is one tenant, the regulator, whose token is"
                + " in NKUL_HOME/keys/regulator.token")
    }
}
