/// The command line of a service: `--config FILE`, `--until-stdin-closes`, `--help`, `--version`, and its actions.
struct ServiceArguments: Equatable {
    var config: String?
    var help = false
    var version = false
    /// The service ends with whoever holds the other end of its standard input.
    var untilStdinCloses = false
    /// The flag of the action asked for.
    var action: String?

    /// - Throws: ``ServiceError`` of code `usage` naming the argument.
    init(_ arguments: [String], actions: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": help = true
            case "--version": version = true
            case "--until-stdin-closes": untilStdinCloses = true
            case "--config": config = try Self.value(of: argument, rest.popFirst())
            case _ where argument.hasPrefix("--config="): config = String(argument.dropFirst("--config=".count))
            case _ where actions.contains(argument): try choose(argument)
            default: throw ServiceError(.usage, "unknown argument \"\(argument)\"; see --help")
            }
        }
    }

    private static func value(of argument: String, _ next: String?) throws -> String {
        guard let next, !next.isEmpty else { throw ServiceError(.usage, "\(argument) needs a value; see --help") }
        return next
    }

    private mutating func choose(_ flag: String) throws {
        guard action == nil else { throw ServiceError(.usage, "\(flag) and \(action!) exclude each other") }
        action = flag
    }
}
