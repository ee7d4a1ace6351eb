public import GRDB
public import Lanes
public import Models

/// What a service keeps of one kind of data, and how it lets go of what is too old.
///
/// A dry run only looks; a real one removes what the same looks have found. So both come to the same figures. Confined to the
/// thread of the service's engine.
public protocol RetainedKind: AnyObject {
    var kind: RetentionKind { get }

    /// Things that one slice looks at: so many that it takes some milliseconds at most.
    var itemsAtOnce: Int { get }

    /// Looks at the next things, in an order that does not depend on what is removed meanwhile.
    ///
    /// - Parameters:
    ///   - before: what is older goes, Unix milliseconds.
    ///   - mark: where the look before has come to; ``RetentionMark/start`` in the first.
    func look(
        before: UnixMilliseconds, after mark: RetentionMark, limit: Int, _ db: Database
    ) throws -> RetentionLook

    /// Removes what a look in the same transaction has found. Files of their own go in ``committed()``.
    func remove(_ items: [RetainedItem], in transaction: inout EffectTransaction) throws

    /// The time of the oldest that is there, nil if there is none; kinds whose looks say it leave it to them.
    func oldest(_ db: Database) throws -> UnixMilliseconds?

    /// After the commit of a slice that removed something: files of the kind's own are deleted here. Must come to the same end
    /// when it is repeated after a crash.
    func committed() throws

    /// After the commit of the last slice: makes the write-ahead logs of files of the kind's own empty. False if somebody was
    /// in the way; it is asked again.
    func truncateLogs() throws -> Bool
}

extension RetainedKind {
    public var itemsAtOnce: Int { 500 }
    public func oldest(_ db: Database) throws -> UnixMilliseconds? { nil }
    public func committed() throws {}
    public func truncateLogs() throws -> Bool { true }
}

/// A place in the order in which things are looked at.
public struct RetentionMark: Sendable, Equatable {
    public var time: UnixMilliseconds
    public var number: Int64
    public var name: String

    public init(time: UnixMilliseconds, number: Int64 = .min, name: String = "") {
        self.time = time
        self.number = number
        self.name = name
    }

    /// Before everything.
    public static let start = RetentionMark(time: .min)
}

/// Something that is too old.
public struct RetainedItem: Sendable, Equatable {
    /// By which it is found again.
    public var mark: RetentionMark
    /// Records that go with it.
    public var records: Int
    public var bytes: Int

    public init(_ mark: RetentionMark, records: Int = 1, bytes: Int = 0) {
        self.mark = mark
        self.records = records
        self.bytes = bytes
    }
}

/// What one look has found.
public struct RetentionLook: Sendable {
    public var items: [RetainedItem]
    /// Where the next look begins; nil if everything was looked at.
    public var next: RetentionMark?
    /// The time of the oldest thing that it saw and that stays.
    public var oldestKept: UnixMilliseconds?

    public init(items: [RetainedItem], next: RetentionMark?, oldestKept: UnixMilliseconds? = nil) {
        self.items = items
        self.next = next
        self.oldestKept = oldestKept
    }

    /// A look that saw what is too old only: it was the last if it saw less than it could.
    public init(_ items: [RetainedItem], limit: Int) {
        self.init(items: items, next: items.count < limit ? nil : items.last?.mark)
    }
}
