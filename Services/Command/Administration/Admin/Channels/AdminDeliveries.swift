import ArgumentParser
import CommandSupport
import Models
import ServiceKit

/// `nkul admin channel deliveries`.
struct AdminDeliveries: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "deliveries", abstract: "What was told, waits, or is dead, the newest first.")

    @Option(name: .long, help: "Of one channel.") var channel: String?
    @Option(name: .long, help: "waiting, delivered or dead.") var state: String?
    @Option(name: .long, help: "How many, 1…500.") var limit: Int64 = 50
    @OptionGroup var options: AdminOptions

    func ask(_ control: ControlClients) async throws -> AdminAnswer {
        var arguments: [String: JSONValue] = ["limit": .integer(limit)]
        if let channel { arguments["channel"] = .string(channel) }
        if let state { arguments["state"] = .string(state) }
        return try await .list(
            control.ask(.notifier, "delivery.list", .object(arguments)), "deliveries",
            [
                .time("changed_at_ms", "CHANGED"), .text("channel"), .text("alarm"), .text("transition"),
                .text("state"),
                .figure("attempts"), .text("reason"), .text("id"),
            ], none: "no deliveries")
    }
}

/// `nkul admin channel resend`.
struct AdminResend: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "resend", abstract: "Has a dead letter sent again, or all of a channel.")

    @Argument(help: "The id of a delivery, as \"deliveries --state dead\" shows it.") var id: String?
    @Option(name: .long, help: "Instead: all dead letters of this channel, 1000 at once.") var channel: String?
    @OptionGroup var options: AdminOptions

    func validate() throws {
        guard (id == nil) != (channel == nil) else {
            throw ValidationError("Name a delivery, or a channel with --channel.")
        }
    }

    func ask(_ control: ControlClients) async throws -> AdminAnswer {
        let arguments: JSONValue = id.map { ["id": .string($0)] } ?? ["channel": .string(channel ?? "")]
        let answer = try await control.ask(.notifier, "delivery.resend", arguments)
        return AdminAnswer(value: answer, text: "\(answer["resent"]?.integer ?? 0) are sent again")
    }
}
