/// What is wrong with one member of a document that operators set: a rule, a channel, a schedule and so on.
public struct DocumentProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The member within the document: `window_s`, `scope.hours.from`, `filter.networks[1]`; empty for the document itself.
    public let path: String
    /// What is so: `is 0`, `is missing`.
    public let what: String
    /// What may stand there: `60…86400`.
    public let allowed: String

    public init(_ path: String, _ what: String, allowed: String) {
        self.path = path
        self.what = what
        self.allowed = allowed
    }

    /// What follows the name of the member in a sentence.
    public var text: String { "\(what); expected \(allowed)" }

    public var description: String { path.isEmpty ? "the document \(text)" : "\(path) \(text)" }
}

/// Why a document is not taken: everything that is wrong with it, at least one thing.
public struct DocumentRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    public let problems: [DocumentProblem]

    public init(_ problems: [DocumentProblem]) { self.problems = problems }

    /// One member is wrong.
    public init(_ path: String, _ what: String, allowed: String) {
        self.init([DocumentProblem(path, what, allowed: allowed)])
    }

    public var description: String { problems.map(\.description).joined(separator: "; ") }
}
