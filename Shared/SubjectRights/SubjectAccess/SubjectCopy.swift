public import GRDB

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
