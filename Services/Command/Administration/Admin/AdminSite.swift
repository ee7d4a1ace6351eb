import ArgumentParser
import CommandSupport
import ServiceKit

/// What people set of sites: a kind of documents that `nkul admin` sets, lists, shows and removes in one way.
protocol SiteDocument {
    /// `site`, as in commands and calls.
    static var word: String { get }
    static var abstract: String { get }
    static var columns: [AdminTable.Column] { get }
}

enum SiteWords: SiteDocument {
    static let word = "site", abstract = "Sites with sensors and doors (docs/sites.md)."
    static let columns: [AdminTable.Column] = [
        .text("id"), .text("name"), .text("zone"), .text("devices"), .text("panel"),
        .text("exit_delay_s", "EXIT DELAY, S"), .text("code_set", "CODE"),
    ]
}

enum SensorWords: SiteDocument {
    static let word = "sensor",
        abstract = "Sensors of sites: how bad they are when they are HIGH, and how they are now."
    static let columns: [AdminTable.Column] = [
        .text("id"), .text("site"), .text("name"), .text("severity"), .text("always"),
        .text("entry_delay_s", "ENTRY DELAY, S"), .text("now"),
    ]
}

enum DoorWords: SiteDocument {
    static let word = "door", abstract = "Doors of sites, and the devices that open them."
    static let columns: [AdminTable.Column] = [.text("id"), .text("site"), .text("name"), .text("device")]
}

enum KeyWords: SiteDocument {
    static let word = "key", abstract = "Keys: which contact may open which door, in which hours of the week."
    static let columns: [AdminTable.Column] = [
        .text("id"), .text("door"), .text("tenant"), .text("contact"), .text("schedule"),
    ]
}

/// `nkul admin site`, `sensor`, `door`, `key`.
struct AdminSite<Words: SiteDocument>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Words.word, abstract: Words.abstract,
            subcommands: [List.self, Set.self, Show.self, Remove.self])
    }

    struct List: AdminAction {
        static var configuration: CommandConfiguration {
            CommandConfiguration(commandName: "list", abstract: "The \(Words.word)s there are.")
        }

        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            try await .list(
                control.ask(.analyticsExporter, "\(Words.word).list"), "\(Words.word)s", Words.columns,
                none: "no \(Words.word)s")
        }
    }

    struct Set: AdminAction {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "set", abstract: "Adds a \(Words.word) or puts another in its place.",
                discussion: """
                    It is a JSON document as docs/sites.md describes it. The exporter compiles it, and refuses it naming every \
                    member that is wrong.
                    """)
        }

        @Argument(help: "Its number, or a key's name.") var id: String
        @Argument(help: "A file with a JSON object; - is standard input.") var file: String
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let set = try await control.ask(
                .analyticsExporter, "\(Words.word).set", ["id": .string(id), "document": try AdminDocument.read(file)])
            return AdminAnswer(value: set, text: "\(Words.word) \(id) is set")
        }
    }

    struct Show: AdminAction {
        static var configuration: CommandConfiguration {
            CommandConfiguration(commandName: "show", abstract: "One \(Words.word).")
        }

        @Argument(help: "Its number, or a key's name.") var id: String
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let document = try await control.ask(.analyticsExporter, "\(Words.word).show", ["id": .string(id)])
            return AdminAnswer(value: document, text: AdminTable.lines(of: document, first: ["id", "name"]))
        }
    }

    struct Remove: AdminAction {
        static var configuration: CommandConfiguration {
            CommandConfiguration(commandName: "remove", abstract: "Removes a \(Words.word).")
        }

        @Argument(help: "Its number, or a key's name.") var id: String
        @OptionGroup var options: AdminOptions

        func ask(_ control: ControlClients) async throws -> AdminAnswer {
            let answer = try await control.ask(.analyticsExporter, "\(Words.word).remove", ["id": .string(id)])
            return AdminAnswer(value: answer, text: "\(Words.word) \(id) is removed")
        }
    }
}
