public import ArgumentParser
internal import CommandSupport
public import Models
internal import ServiceKit

/// `nkul admin contact`: the people of a tenant.
struct AdminContact: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contact", abstract: "The people of a tenant, with a role and a token each.",
        subcommands: [Add.self, List.self, Revoke.self, Failures.self])

    struct Add: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Adds a contact; prints its token, once.")

        @Argument(help: "The tenant's name.") var tenant: String
        @Argument(help: "The contact's name.") var name: String
        @Option(name: .long, help: "viewer, engineer or manager.") var role: ContactRole = .viewer
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let added = try await control.ask(
                .analyticsExporter, "contact.add",
                ["tenant": .string(tenant), "name": .string(name), "role": .string(role.rawValue)])
            return AdminAnswer(
                value: added,
                text: AdminTable.lines(of: added, first: ["tenant", "name", "role", "token"])
                    + "\n\nThe token is shown this once; nobody can show it again.")
        }
    }

    struct List: AdminAction {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "The contacts there are.")

        @Option(name: .long, help: "Of this tenant only.") var tenant: String?
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            try await .list(
                control.ask(.analyticsExporter, "contact.list", tenant.map { ["tenant": .string($0)] } ?? [:]),
                "contacts",
                [
                    .text("tenant"), .text("name"), .text("role"), .time("created_at_ms", "SINCE"),
                    .init(title: "STATE", isRight: false) { row in
                        row["revoked_at_ms"].map { "revoked \(AdminTable.time($0.integer ?? 0))" } ?? "active"
                    },
                ], none: "no contacts")
        }
    }

    struct Revoke: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Revokes a contact: its token and its sessions end at once.")

        @Argument(help: "The tenant's name.") var tenant: String
        @Argument(help: "The contact's name.") var name: String
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let answer = try await control.ask(
                .analyticsExporter, "contact.revoke", ["tenant": .string(tenant), "name": .string(name)])
            let words = [
                ("removed_channels", "its channels are gone: "), ("removed_keys", "its keys of doors are gone: "),
                ("still_named_by", "still named by: "),
            ]
            .compactMap {
                member, text in
                (answer[member]?.array ?? []).isEmpty ? nil : text + AdminTable.words(answer[member])
            }
            return AdminAnswer(
                value: answer, text: (["contact \(name) of \(tenant) is revoked"] + words).joined(separator: "\n"))
        }
    }

    struct Failures: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "failures", abstract: "The last log-ins and tokens that were refused, the newest first.")

        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            try await .list(
                control.ask(.analyticsExporter, "contact.failures"), "failures", .failures, none: "nobody was refused")
        }
    }
}

extension [AdminTable.Column] {
    /// Of failed authentications.
    static var failures: [AdminTable.Column] {
        [.time("at_ms", "LAST"), .text("prefix", "FROM"), .text("reason"), .figure("count", "TIMES")]
    }
}

extension ContactRole: ExpressibleByArgument {}
