internal import Lanes
package import Models

/// What a service must have seen before it may say that nothing of a subject can come any more.
package struct ErasurePlan: Sendable {
    /// The lane on which the service's receipts travel; nil for a part of a service, which signs nothing itself and only says
    /// when it has nothing left.
    package let lane: LaneName?
    /// Ingest's lanes that it reads: its cursors must be past their barriers.
    package let barriers: Set<LaneName>
    /// Services that must have signed before: the writers of lanes derived from the subject's rows.
    package let waitsFor: Set<String>

    /// - Parameters:
    ///   - lane: where the receipts go.
    ///   - reads: every lane that the service reads; those of ingest have barriers.
    ///   - waitsFor: services whose receipts must have come.
    package init(receiptsOn lane: LaneName?, reads: [LaneName], waitsFor: Set<String> = []) {
        self.lane = lane
        barriers = Set(reads).intersection([.realtime, .batch, .requests])
        self.waitsFor = waitsFor
    }

    /// Whether a subject's records have all come, so that what is erased stays erased.
    ///
    /// - Parameters:
    ///   - cursor: the last block of a lane whose effects are committed.
    ///   - signers: services whose receipts for the request have come.
    ///   - lineage: what became of generations.
    func isComplete(
        _ subject: ErasureSubjectDocument, cursor: (LaneName) -> Position?, signers: Set<String>, lineage: Lineage
    ) -> Bool {
        waitsFor.isSubset(of: signers)
            && lineage.areReached(subject.barriers, in: barriers, by: cursor)
    }
}

/// One run through a service's tables and journals, for all subjects that waited together.
struct ErasurePass {
    let subjects: [ErasureSubject]
    let filter: ErasureFilter
    var areRecordsErased = false
    var journals: [JournalErasure]

    init(_ subjects: [ErasureSubject], journals: Int) {
        self.subjects = subjects
        filter = ErasureFilter(subjects)
        self.journals = [JournalErasure](repeating: JournalErasure(), count: journals)
    }
}
