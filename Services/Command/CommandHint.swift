import Administration
import ArgumentParser
import ServiceKit

/// What somebody may have meant who asked for a command that there is not.
enum CommandHint {
    /// What other programs call what is called otherwise here.
    private static let others = [
        "status":
            #""nkul admin status" shows the services, "nkul ready" asks whether they are ready, "nkul doctor" checks a home"#,
        "stop": #"Ctrl-C, or SIGTERM to the process of "nkul up", stops all services in order"#,
        "start": #""nkul up" starts the services"#,
        "restart": #"stop "nkul up" with Ctrl-C and start it again; it restarts services that die by itself"#,
        "logs":
            #"logs of the services are what "nkul up" writes to stderr; in containers and units, those of the runtime"#,
        "alarms": #""nkul tail" follows alarms"#,
        "token": "the page's token is in NKUL_HOME/keys/regulator.token",
        "version": #""nkul --version" says it"#,
    ]
    private static let synonyms = [
        "ps": "status", "health": "status", "down": "stop", "kill": "stop", "run": "start", "serve": "start",
        "log": "logs", "alerts": "alarms", "watch": "alarms", "dashboard": "token", "login": "token",
    ]

    /// - Parameter arguments: those of the process; nil if the first is a command, or none at all.
    static func text(for arguments: [String]) -> String? {
        guard let word = arguments.first, !word.hasPrefix("-") else { return nil }
        let commands = names(of: NkulCommand.self)
        guard !commands.contains(word) else { return nil }
        let beginning = "there is no \"nkul \(word)\""
        if let other = others[synonyms[word] ?? word] { return "\(beginning): \(other)" }
        if names(of: AdminCommand.self).contains(word) {
            return "\(beginning): \"nkul admin \(word)\" is what you may mean"
        }
        if let near = EditDistance.nearest(to: word, in: commands) {
            return "\(beginning); did you mean \"nkul \(near)\"?"
        }
        return "\(beginning); there are \(commands.joined(separator: ", ")). See nkul --help"
    }

    private static func names(of command: any ParsableCommand.Type) -> [String] {
        command.configuration.subcommands.map { $0._commandName } + ["help"]
    }
}
