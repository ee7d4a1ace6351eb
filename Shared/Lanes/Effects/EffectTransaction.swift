public import GRDB
public import Models

/// The transaction of a step, in the hands of whoever has effects in it. Not to be kept: it ends with the call.
public struct EffectTransaction {
    /// The service's database, in the transaction that also moves the cursors.
    public let db: Database
    /// When the step began, Unix milliseconds.
    public let now: UnixMilliseconds
    /// What is appended to the lanes that the service writes.
    public var emit: Emission

    public init(_ db: Database, now: UnixMilliseconds, emit: Emission = Emission { _, _, _ in [] }) {
        self.db = db
        self.now = now
        self.emit = emit
    }
}
