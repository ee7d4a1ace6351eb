public import GRDB
public import Models

/// Compaction when somebody wants it, and how old blocks are: what retention asks of a journal.
extension Journal {
    /// Has what is superseded by now removed from a state lane by the next rounds of housekeeping, however little it is. Asked
    /// again meanwhile, it begins anew behind the running pass.
    public func sweep() {
        if lane.nature == .state { state.sweepWanted = head }
    }

    /// True until what was superseded at the last ``sweep()`` is gone; a process that starts anew does not remember it.
    public var isSweeping: Bool { state.sweepWanted > 0 }

    /// When the oldest block that is there was committed; nil if there is none.
    public func oldestCommit(_ db: Database) throws -> UnixMilliseconds? {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT committed_at FROM \(schema.blocksTable) ORDER BY number LIMIT 1"))
    }
}
