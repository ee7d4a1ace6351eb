internal import GRDB
internal import Lanes
internal import Models
internal import SubjectRights

/// How old the oldest block is that waits for a reader. Blocks go as soon as everybody has read them; so one that is older than
/// it may be is not removed here but told of: the reader it waits for is what somebody has to look at.
final class JournalAges: RetainedKind {
    let kind = RetentionKind.journals
    private let journals: [Journal]

    init(_ journals: [Journal]) { self.journals = journals }

    func look(
        before: UnixMilliseconds, after mark: RetentionMark, limit: Int, _ db: Database
    ) throws -> RetentionLook { RetentionLook(items: [], next: nil) }

    func remove(_ items: [RetainedItem], in transaction: inout EffectTransaction) throws {}

    func oldest(_ db: Database) throws -> UnixMilliseconds? {
        try journals.compactMap { try $0.oldestCommit(db) }.min()
    }
}
