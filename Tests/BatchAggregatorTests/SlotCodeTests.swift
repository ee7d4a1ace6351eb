import Models
import QoE
import Testing

@testable import BatchAggregator

@Suite struct SlotCodeTests {
    @Test func everyPlausibleBinComesBackInOrder() throws {
        var last: UInt16?
        let slots = CellMetrics.mobile.slots
        for metric in Metric.allCases {
            for bin in Int64(-512)..<3_584 {
                let code = try #require(SlotCode.code(UInt16(metric.rawValue), bin: bin))
                let slot = slots.withUnsafeBufferPointer { SlotCode.slot(code, $0) }
                #expect(slot == CellHistograms.Entry.slot(metric, bin: Int32(bin)))
                if let last { #expect(last < code) }
                last = code
            }
        }
        #expect(SlotCode.code(0, bin: 3_584) == nil)
        #expect(SlotCode.code(0, bin: -513) == nil)
    }

    /// Metrics of programmes have numbers from 64 on; codes have their places.
    @Test func aPlaceStandsForTheNumberOfItsMetric() throws {
        let numbers: [UInt8] = [64, 65, 70, 200, 255]
        let metrics = CellMetrics(numbers.map { .init(number: $0, column: $0, isOfSIM: false, bins: .logarithmic) })
        for (place, number) in numbers.enumerated() {
            let code = try #require(SlotCode.code(UInt16(place), bin: -7))
            let slot = metrics.slots.withUnsafeBufferPointer { SlotCode.slot(code, $0) }
            #expect(slot == UInt32(number) << 24 | (0x80_0000 - 7))
        }
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
