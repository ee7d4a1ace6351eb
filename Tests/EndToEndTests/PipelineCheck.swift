import Foundation
import PipelineTesting
import Testing

/// What came out of a pack, against the model.
enum PipelineCheck {
    /// Raw rows, statistics, alarms and rewards are those of the model, each exactly once.
    static func expectAgreement(
        _ pack: ServicePack, _ model: ReferenceModel, _ listener: AlarmListener? = nil
    ) throws {
        try expectRowsAndStatistics(pack, model)
        try listener?.expectComplete(model.alarms)
        try expectRewards(pack, RewardedFeedback.all(in: model))
    }

    /// Raw rows and statistics are those of the model.
    static func expectRowsAndStatistics(_ pack: ServicePack, _ model: ReferenceModel) throws {
        try expectRows(pack, model)
        var dump = ""
        _ = try becomesTrue(within: 60) {
            dump = try pack.answer("nkul-batch-aggregator", ["--dump"])
            return dump == model.dump
        }
        #expect(dump == model.dump, "\(TextDifference.first(dump, model.dump))")
    }

    /// Each grant is for a feedback that deserves it, each such feedback has one, and each is paid once.
    static func expectRewards(_ pack: ServicePack, _ feedback: Set<RewardedFeedback>) throws {
        var books = try RewardBooks(pack)
        _ = try becomesTrue(within: 60) {
            books = try RewardBooks(pack)
            return books.isSettled(feedback.count)
        }
        #expect(books.fault == nil)
        #expect(books.fault(paying: feedback) == nil)
    }

    private static func expectRows(_ pack: ServicePack, _ model: ReferenceModel) throws {
        _ = try becomesTrue(within: 120) { try RawRowsPage.read(pack).count >= model.rows.count }
        let rows = try RawRowsPage.read(pack)
        #expect(rows.count == model.rows.count)
        #expect(rows.values.allSatisfy { $0.count == 1 }, "rows that came more than once")
        let differing = model.rows.first { !RowComparison.agrees(rows[$0.id]?.first, $0) }
        #expect(differing == nil, "\(differing!) came as \(rows[differing!.id] ?? [])")
    }
}
