import Foundation
import Models
import Testing

@Suite struct RetentionOrderTests {
    private static let noon: UnixMilliseconds = 1_772_366_400_000  // 2026-03-01T12:00:00Z

    @Test func `a cut-off is the midnight so many days before`() {
        let order = RetentionOrderDocument(
            issuedAt: Self.noon, isDryRun: false, source: .schedule, days: [.rawRows: 30])
        #expect(order.cutoff(of: .rawRows) == 1_769_731_200_000)  // 2026-01-30T00:00:00Z
        #expect(order.cutoff(of: .alarms) == nil)
    }

    @Test func `documents read what they write`() throws {
        let order = RetentionOrderDocument(
            issuedAt: Self.noon, isDryRun: true, source: .operatorAdmin,
            days: Dictionary(uniqueKeysWithValues: RetentionKind.allCases.map { ($0, $0.rule.days) }))
        let text = try SortedJSON.bytes(of: order)
        #expect(try JSONDecoder().decode(RetentionOrderDocument.self, from: Data(text)) == order)
        let report = RetentionReportDocument(
            order: order.order, isDryRun: true, service: "ingest", finishedAt: 3,
            kinds: ["receipts": RetentionFigures(removed: 2, bytes: 5, oldest: 7), "other": RetentionFigures()])
        #expect(
            try JSONDecoder().decode(RetentionReportDocument.self, from: Data(SortedJSON.bytes(of: report))) == report)
    }

    @Test func `every rule's default is within its range`() {
        for kind in RetentionKind.allCases {
            #expect(kind.rule.range.contains(kind.rule.days) && !kind.rule.keepers.isEmpty, "\(kind)")
        }
    }
}
