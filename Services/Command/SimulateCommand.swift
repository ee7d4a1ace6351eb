import ArgumentParser
import ServiceKit

/// `nkul simulate`: announced, not there yet.
struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "A recording made by simulated phones (comes with a later release).",
        shouldDisplay: false)

    @Argument(parsing: .allUnrecognized) var rest: [String] = []

    func run() throws {
        throw ServiceError(
            .failed, "\"simulate\" comes with a later release; \"nkul import\" makes recordings of field logs")
    }
}
