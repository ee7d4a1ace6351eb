public import Lanes

/// What a service keeps of subjects, and how it forgets it.
///
/// Called on the thread of the service's engine. What is erased once must stay erased: rows of the subjects that are still
/// to come are taken out before the service sees them.
public protocol SubjectRecords: AnyObject {
    /// A pass begins: what an earlier one kept in memory of how far it came is not so, for it may have been rolled back.
    func beginPass()

    /// Removes a bounded part of what the service's tables and files have of the subjects, inside the transaction of a step;
    /// called again, each time in a new transaction, until it says that nothing is left.
    ///
    /// Must be able to begin anew after a crash at any point, and to come to the same end. Files of their own may be changed
    /// here if that is idempotent and durable when it returns.
    ///
    /// - Parameter subjects: the same ones in every call of a pass.
    func erase(_ subjects: [ErasureSubject], in transaction: inout EffectTransaction) throws -> ErasureSlice

    /// After the last slice is committed, outside any transaction: makes the write-ahead logs of files of the service's own
    /// empty. False if somebody was in the way; it is asked again.
    func truncateLogs() throws -> Bool
}

extension SubjectRecords {
    public func beginPass() {}
    public func truncateLogs() throws -> Bool { true }
}

/// What one call of ``SubjectRecords/erase(_:in:)`` did.
public struct ErasureSlice: Sendable {
    /// Rows removed, by device.
    public var removed: [UInt64: Int] = [:]
    /// True if nothing of the subjects is left.
    public var isDone: Bool

    public init(isDone: Bool, removed: [UInt64: Int] = [:]) {
        self.isDone = isDone
        self.removed = removed
    }
}
