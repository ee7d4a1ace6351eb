/// Why programmes cannot run together; the service that is given them does not start.
public struct ProgrammeError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Name of the programme.
    public let programme: String
    /// What is wrong, with the names of what it is about.
    public let message: String

    public init(_ programme: String, _ message: String) {
        self.programme = programme
        self.message = message
    }

    public var description: String { "programme \(programme): \(message)" }
}
