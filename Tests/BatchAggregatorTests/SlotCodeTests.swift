import Models
import QoE
import Testing

@testable import BatchAggregator

@Suite struct SlotCodeTests {
    @Test func everyPlausibleBinComesBackInOrder() throws {
        var last: UInt16?
        for metric in Metric.allCases {
            for bin in Int64(-512)..<3_584 {
                let code = try #require(SlotCode.code(UInt16(metric.rawValue), bin: bin))
                #expect(SlotCode.slot(code) == CellHistograms.Entry.slot(metric, bin: Int32(bin)))
                if let last { #expect(last < code) }
                last = code
            }
        }
        #expect(SlotCode.code(0, bin: 3_584) == nil)
        #expect(SlotCode.code(0, bin: -513) == nil)
    }

    @Test func theBinsOfEveryFieldsRangeFit() {
        for metric in Metric.allCases {
            guard
                let range = (RecordKind.report.field(metric.column) ?? RecordKind.feedback.field(metric.column))?.range
            else {
                Issue.record("\(metric) has no field")
                continue
            }
            for value in [range.lowerBound, range.upperBound] {
                #expect(SlotCode.code(0, bin: Int64(metric.bins.bin(value))) != nil)
            }
        }
    }
}
