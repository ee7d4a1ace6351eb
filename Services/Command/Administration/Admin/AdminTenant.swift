import ArgumentParser
import CommandSupport
import ServiceKit

/// `nkul admin tenant`: operators and regulators who may look.
struct AdminTenant: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tenant", abstract: "Operators and regulators who may look.",
        subcommands: [Add.self, List.self, Remove.self])

    /// Adds one, and waits until the router has bound its endpoints.
    struct Add: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Adds a tenant; prints its token and keys, once. Returns when its alert endpoints are bound.",
            discussion:
                "The token is that of its first contact, a manager. Keep it and the secret key: nobody can show them again."
        )

        @Argument(help: "Its name: lower-case letters, digits and hyphens.") var name: String
        @Option(name: .customLong("plmn"), help: "A network it may see, as 62401 (several times).") var plmns:
            [String] = []
        @Option(name: .customLong("scope"), help: "What it owns of another programme, as site:12 (several times).")
        var scopes: [String] = []
        @Flag(name: .long, help: "It is a regulator: it sees every network.") var regulator = false
        @Flag(
            name: .customLong("original-ids"),
            help: "A regulator that may see the reports' own ids (each download is logged).")
        var originalIDs = false
        @OptionGroup var options: AdminOptions

        func validate() throws {
            guard regulator == (plmns.isEmpty && scopes.isEmpty) else {
                throw ValidationError(
                    "a tenant has networks (--plmn 62401), other scopes (--scope site:12), or is a regulator (--regulator)"
                )
            }
            guard regulator || !originalIDs else { throw ValidationError("--original-ids is for a regulator only") }
        }

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let added = try await control.ask(
                .analyticsExporter, "tenant.add",
                [
                    "name": .string(name), "plmns": .array(plmns.map { .string($0) }),
                    "scopes": .array(scopes.map { .string($0) }), "regulator": .bool(regulator),
                    "original_ids": .bool(originalIDs),
                ], timeout: .seconds(40))
            let order = [
                "tenant", "token", "alerts_pub", "alerts_replay", "curve", "server_public_key", "client_public_key",
                "client_secret_key",
            ]
            let once =
                added["client_secret_key"] == nil
                ? "The token is shown this once; nobody can show it again."
                : "Token and secret key are shown this once; nobody can show them again."
            return AdminAnswer(
                value: added,
                text: AdminTable.lines(of: added, first: order) + "\n\n" + once,
                problem: added["alerts_pub"] == nil ? Self.unbound(name, added["note"]?.string) : nil)
        }

        private static func unbound(_ name: String, _ note: String?) -> String {
            note ?? "tenant \(name) is stored, and the router has not bound its endpoints; \"tenant list\" shows them"
        }
    }

    struct List: AdminAction {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "The tenants there are.")

        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            try await .list(
                control.ask(.analyticsExporter, "tenant.list"), "tenants",
                [
                    .figure("number"), .text("tenant"), .text("plmns"), .text("scopes"), .text("regulator"),
                    .text("original_ids", "ORIGINAL IDS"), .text("alerts_pub", "ALERTS"), AdminTenant.state,
                ], none: "no tenants")
        }
    }

    /// Of a row of the list.
    private static let state = AdminTable.Column(title: "STATE", isRight: false) { row in
        row["removed_at_ms"].map { "removed \(AdminTable.time($0.integer ?? 0))" } ?? "active"
    }

    struct Remove: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Removes a tenant, its contacts and its alert endpoints.")

        @Argument(help: "Its name.") var name: String
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let answer = try await control.ask(.analyticsExporter, "tenant.remove", ["name": .string(name)])
            return AdminAnswer(value: answer, text: "tenant \(name) is removed")
        }
    }
}
