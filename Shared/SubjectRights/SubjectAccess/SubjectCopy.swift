public import GRDB
public import Models

/// How a service gives what it holds about a subject.
///
/// Called on the thread of the service's engine, inside the transaction of a step. Nothing is kept in memory from one page to
/// the next: where a page ended is a text, so that a crash repeats nothing and loses nothing.
public protocol SubjectCopy: AnyObject {
    /// Every kind that the service may hold, whether it does of this subject or not.
    var held: [HeldKind] { get }

    /// The next page: a bounded piece of work, some milliseconds at most.
    ///
    /// - Parameters:
    ///   - device: the subject's ordinal.
    ///   - place: `next` of the page before; nil begins. It must not have identifiers of the subject.
    func page(of device: UInt64, after place: String?, in db: Database) throws -> SubjectPage
}

/// A page of lines.
public struct SubjectPage: Sendable, Equatable {
    public var lines: [SubjectLine]
    /// Where the next page begins; nil after the last. A page may have no lines and still not be the last.
    public var next: String?

    public init(lines: [SubjectLine], next: String?) {
        self.lines = lines
        self.next = next
    }
}

/// A line of what is held about a subject.
public struct SubjectLine: Sendable, Equatable {
    /// One of the kinds that the service says it holds.
    public let kind: String
    /// What time it is about, Unix milliseconds; nil if none.
    public let at: UnixMilliseconds?
    /// A JSON object, without the members `kind` and `service`.
    public let members: [UInt8]

    /// - Parameter members: a JSON object.
    public init(_ kind: String, at: UnixMilliseconds?, json members: [UInt8]) {
        self.kind = kind
        self.at = at
        self.members = members
    }

    public init(_ kind: String, at: UnixMilliseconds?, _ members: some Encodable) throws {
        self.init(kind, at: at, json: try SortedJSON.bytes(of: members))
    }

    /// Appends the line with `kind` and `service`, ended by a line feed.
    public func write(of service: String, to out: inout [UInt8]) {
        out += "{\"kind\":\"\(kind)\",\"service\":\"\(service)\"".utf8
        let rest = members.dropFirst()
        if rest.first != UInt8(ascii: "}") { out.append(UInt8(ascii: ",")) }
        out += rest
        out.append(UInt8(ascii: "\n"))
    }
}
