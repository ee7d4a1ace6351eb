import ArgumentParser
import CommandSupport
import ServiceKit

/// `nkul admin device`: the phones that are enrolled.
struct AdminDevice: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "The phones that are enrolled.",
        subcommands: [
            List.self, Show.self, AdminDeviceAdd.self, Revoke.self, Failures.self, AdminDeviceCodes.self,
        ])

    struct List: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Devices by number, a page at a time.")

        @Option(name: .long, help: "Begin behind this number.") var after: Int64 = 0
        @Option(name: .long, help: "At most so many, 1…1000.") var limit: Int64 = 100
        @OptionGroup var options: AdminOptions

        func validate() throws {
            guard (1...1_000).contains(limit), after >= 0 else {
                throw ValidationError("--limit is 1…1000, --after from 0")
            }
        }

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let page = try await control.ask(
                .ingest, "device.list", ["after": .integer(after), "limit": .integer(limit)])
            let list = AdminAnswer.list(page, "devices", Self.columns, none: "no devices")
            guard let next = page["next"]?.integer else { return list }
            return AdminAnswer(value: page, text: list.text + "\n\nMore: --after \(next)")
        }

        private static let columns: [AdminTable.Column] = [
            .figure("ordinal", "NUMBER"), .text("device"), .text("platform"), .text("app_version", "APP"),
            .time("enrolled_at_ms", "ENROLLED"), .figure("trust"), .figure("consent_version", "CONSENT"),
            .init(title: "STATE", isRight: false) { $0["revoked_at_ms"] == nil ? "active" : "revoked" },
        ]
    }

    struct Show: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "What a device said of itself, what it allows, and how far it is trusted.")

        @Argument(help: "The device's UUID or number.") var device: String
        @OptionGroup var options: AdminOptions

        private static let first = ["device", "ordinal", "enrolled_at_ms", "trust", "days_seen"]

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let shown = try await control.ask(.ingest, "device.show", ["device": .string(device)])
            return AdminAnswer(value: shown, text: AdminTable.lines(of: shown, first: Self.first))
        }
    }

    struct Failures: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "failures",
            abstract: "Who failed to authenticate, by minute, address prefix and reason, the newest first.")

        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            try await .list(control.ask(.ingest, "device.failures"), "failures", .failures, none: "nobody was refused")
        }
    }

    struct Revoke: AdminAction {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Makes a device's token worthless, for good. What it has sent stays; the phone may enrol anew.")

        @Argument(help: "The device's UUID or number.") var device: String
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let revoked = try await control.ask(.ingest, "device.revoke", ["device": .string(device)])
            let when = AdminTable.time(revoked["revoked_at_ms"]?.integer ?? 0)
            return AdminAnswer(
                value: revoked, text: "device \(AdminTable.words(revoked["device"])) is revoked since \(when)")
        }
    }
}
