package import Models
package import Wire

/// What a writer says to a reader.
package enum LaneReply: Sendable, Equatable {
    /// The session has begun: the journal's generation, its last block, and the first that may still be there.
    case opened(session: UInt64, generation: UInt64, head: UInt64, oldest: UInt64)
    /// The block after the last one sent or skipped. Its payload is clear.
    case block(session: UInt64, Block)
    /// There is nothing of the kinds asked for after `after` up to `through`.
    case skipped(session: UInt64, after: UInt64, through: UInt64)
    /// The journal's last block, how far the session has been served, and the size of the next block if it waits for credit
    /// (else 0).
    case head(session: UInt64, head: UInt64, through: UInt64, waitingBytes: UInt64)
    /// Sign of life, once a second: the writer's last block, and its clock. What was committed before that time is not above
    /// the head; a commit under way at that time may be. `completeTo`: everything acknowledged to phones before that
    /// moment counts in the blocks up to the head; nil if the writer does not know or does not say.
    case heartbeat(
        session: UInt64, generation: UInt64, head: UInt64, time: UnixMilliseconds, completeTo: UnixMilliseconds? = nil)
    /// No session: the reader must not go on.
    case refused(session: UInt64, code: LaneRefusal, text: String)
    /// The writer does not know the session (it was started again): open a new one.
    case unknown(session: UInt64)

    /// The session that it belongs to.
    package var session: UInt64 {
        switch self {
        case .opened(let session, _, _, _), .block(let session, _), .skipped(let session, _, _),
            .head(let session, _, _, _), .heartbeat(let session, _, _, _, _), .refused(let session, _, _),
            .unknown(let session):
            session
        }
    }
}

/// Why a writer refuses a reader; numbers are on the wire.
package enum LaneRefusal: UInt8, Sendable, Equatable {
    /// The reader has blocks of another generation.
    case otherGeneration = 1
    /// The reader has blocks the writer does not.
    case aheadOfHead = 2
    /// A state lane has forgotten removals the reader has not seen.
    case tombstonesGone = 3
    /// The endpoint does not serve that lane.
    case otherLane = 4
}
