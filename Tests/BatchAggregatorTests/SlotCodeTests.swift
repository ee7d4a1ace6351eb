import Models
import QoE
import Testing

@testable import AggregatorCells

@Suite struct SlotCodeTests {
    @Test func `every plausible bin comes back in order`() throws {
        var last: UInt16?
        let slots = CountingRules.qoe.slots(of: Programme.qoeNumber)
        for metric in Metric.allCases {
            for bin in Int64(-512)..<3_584 {
                let code = try #require(SlotCode.code(UInt16(metric.rawValue), bin: bin))
                let slot = slots.withUnsafeBufferPointer { SlotCode.slot(code, $0) }
                #expect(slot == CellHistograms.Entry(metric, bin: Int32(bin), count: 1).slot)
                if let last { #expect(last < code) }
                last = code
            }
        }
        #expect(SlotCode.code(0, bin: 3_584) == nil)
        #expect(SlotCode.code(0, bin: -513) == nil)
    }

    /// Metrics of programmes have numbers from 64 on; codes have their places.
    @Test func `a place stands for the number of its metric`() throws {
        let numbers: [UInt8] = [64, 65, 70, 200, 255]
        let signals = RecordKind(
            id: 99, name: "signal", version: 1,
            fields: Field.identity + numbers.indices.map { Field(128 + UInt8($0), "value_\($0)", .number(scale: 1)) },
            serverFields: Field.reception, required: [])
        let kind = ProgrammeKind(
            signals, path: "/v1/signals",
            description: .init(schema: "S", operation: "s", summary: "", example: "{}", csv: ""), scope: .networks,
            held: .init(english: "", french: "", whyEnglish: "", whyFrench: ""))
        let programme = Programme(
            number: 7, name: "signals", kinds: [kind],
            metrics: numbers.enumerated().map {
                ProgrammeMetric($1, "m\($0)", column: 128 + UInt8($0), bins: .logarithmic)
            })
        let rules = CountingRules(try Programmes([programme]))
        for (place, number) in numbers.enumerated() {
            let code = try #require(SlotCode.code(UInt16(place), bin: -7))
            let slot = rules.slots(of: 7).withUnsafeBufferPointer { SlotCode.slot(code, $0) }
            #expect(slot == UInt32(number) << 24 | (0x80_0000 - 7))
        }
    }

    @Test func `the bins of every fields range fit`() {
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
