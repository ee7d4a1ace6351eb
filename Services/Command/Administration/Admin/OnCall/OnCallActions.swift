import ArgumentParser
import CommandSupport
import Models
import ServiceKit

/// A kind of documents that say who is called when, as commands name it.
protocol OnCallWord {
    /// In calls, and behind `nkul admin`.
    static var word: String { get }
    /// For people.
    static var one: String { get }
    static var columns: [AdminTable.Column] { get }
    /// What `check` says.
    static func text(_ checked: JSONValue) -> String
}

struct OnCallList<Kind: OnCallWord>: AdminAction {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "list", abstract: "Those that are set.")
    }

    @Option(name: .long, help: "Of this tenant; of all by default.") var tenant: String?
    @OptionGroup var options: AdminOptions

    func ask(_ control: ControlClients) async throws -> AdminAnswer {
        let arguments = JSONValue.object(tenant.map { ["tenant": .string($0)] } ?? [:])
        return try await .list(
            control.ask(.analyticsExporter, "\(Kind.word).list", arguments), "documents",
            [.text("id"), .text("tenant")] + Kind.columns, none: "none is set")
    }
}

struct OnCallShow<Kind: OnCallWord>: AdminAction {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "show", abstract: "The document of one.")
    }

    @Argument(help: "Its name.") var id: String
    @Option(name: .long, help: "Of this tenant; of the regulator by default.") var tenant: String?
    @OptionGroup var options: AdminOptions

    func ask(_ control: ControlClients) async throws -> AdminAnswer {
        let shown = try await control.ask(
            .analyticsExporter, "\(Kind.word).show", OnCallArguments.named(id, tenant))
        return AdminAnswer(value: shown, text: AdminTable.lines(of: shown, first: ["id", "tenant"]))
    }
}

struct OnCallSet<Kind: OnCallWord>: AdminAction {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "set", abstract: "Adds one, or puts another in its place.",
            discussion: """
                The file has a JSON document as docs/oncall.md describes it. The exporter compiles it, and refuses it naming every \
                member that is wrong, and contacts, schedules and channels that its tenant does not have.
                """)
    }

    @Argument(help: "Its name.") var id: String
    @Argument(help: "A file with a JSON object; - is standard input.") var file: String
    @OptionGroup var options: AdminOptions

    func ask(_ control: ControlClients) async throws -> AdminAnswer {
        let document = try AdminDocument.read(file)
        let set = try await control.ask(
            .analyticsExporter, "\(Kind.word).set", ["id": .string(id), "document": document])
        let tenant = set["tenant"]?.string.map { " --tenant \($0)" } ?? ""
        return AdminAnswer(
            value: set, text: "\(Kind.one) \(id) is set; see: nkul admin \(Kind.word) check \(id)\(tenant)")
    }
}

struct OnCallRemove<Kind: OnCallWord>: AdminAction {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "remove", abstract: "Removes one.")
    }

    @Argument(help: "Its name.") var id: String
    @Option(name: .long, help: "Of this tenant; of the regulator by default.") var tenant: String?
    @OptionGroup var options: AdminOptions

    func ask(_ control: ControlClients) async throws -> AdminAnswer {
        let answer = try await control.ask(
            .analyticsExporter, "\(Kind.word).remove", OnCallArguments.named(id, tenant))
        return AdminAnswer(value: answer, text: "\(Kind.one) \(id) is removed")
    }
}

struct OnCallCheckCommand<Kind: OnCallWord>: AdminAction {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "check", abstract: "What it comes to, now and on the next days.")
    }

    @Argument(help: "Its name.") var id: String
    @Option(name: .long, help: "Of this tenant; of the regulator by default.") var tenant: String?
    @Option(name: .long, help: "For so many days, 1…92.") var days = 7
    @OptionGroup var options: AdminOptions

    func ask(_ control: ControlClients) async throws -> AdminAnswer {
        let checked = try await control.ask(
            .analyticsExporter, "\(Kind.word).check", OnCallArguments.named(id, tenant, ["days": .integer(Int64(days))])
        )
        return AdminAnswer(value: checked, text: Kind.text(checked))
    }
}

enum OnCallArguments {
    static func named(_ id: String, _ tenant: String?, _ more: [String: JSONValue] = [:]) -> JSONValue {
        var members = more.merging(["id": .string(id)]) { $1 }
        members["tenant"] = tenant.map { .string($0) }
        return .object(members)
    }
}
