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
        if let listener {
            // How late a record came decides whether it counts in an alarm.
            let rows = try RawRowsPage.read(pack)
            try listener.expectComplete(
                model.received { (rows[$0.id]?.first?["received_at_ms"] as? NSNumber)?.intValue }.alarms)
        }
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

/// Compares what came out with what the model says.
enum RowComparison {
    private static let numbers = [
        "latitude", "longitude", "rsrp_dbm", "download_kbps", "upload_kbps", "latency_ms", "rating",
    ]

    /// True if a raw row says what the accepted record said.
    static func agrees(_ row: [String: Any]?, _ expected: ReferenceRow) -> Bool {
        guard let row, row["kind"] as? String == expected.kind else { return false }
        guard row["event"] as? String == expected.record.text("event") else { return false }
        guard flags(row) == flags(expected, received: row["received_at_ms"]) else { return false }
        return numbers.allSatisfy { name in
            let came = (row[name] as? NSNumber)?.doubleValue, meant = expected.record.number(name)
            guard let came, let meant else { return came == nil && meant == nil }
            return abs(came - meant) <= max(abs(meant) * 1e-9, name.hasSuffix("kbps") ? 0.5 : 0.05)
        }
    }

    private static func flags(_ row: [String: Any]) -> Int { (row["flags"] as? NSNumber)?.intValue ?? 0 }

    /// The model does not know when a real process received a row, and so not how old its device was then.
    private static func flags(_ expected: ReferenceRow, received: Any?) -> Int {
        var expected = expected
        if let received = received as? NSNumber { expected.arrivedAt = received.intValue }
        return expected.flags
    }
}
