import ArgumentParser
import ServiceKit

/// `nkul admin erasure`: announced, not there yet.
struct AdminErasure: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erasure", abstract: "Erasures of a subscriber's data (come with a later release).")

    @Argument(parsing: .allUnrecognized) var rest: [String] = []

    func run() throws {
        throw ServiceError(
            .failed, "erasure comes with a later release; \"nkul admin device revoke\" ends a device's access")
    }
}
