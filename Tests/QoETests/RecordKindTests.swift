import Models
import QoE
import Testing

@Suite("Record kinds")
struct RecordKindTests {
    @Test(arguments: Programmes.qoe.records.map(\.id))
    func `no kind has two fields of one column number or one name`(id: UInt8) throws {
        let kind = try #require(Programmes.qoe.record(id))
        let fields = kind.fields + kind.serverFields
        #expect(Set(fields.map(\.column)).count == fields.count)
        #expect(Set(fields.map(\.name)).count == fields.count)
    }

    @Test
    func `a field that two kinds share is the same field in both`() {
        for field in RecordKind.feedback.fields {
            guard let other = RecordKind.report.field(field.column) else { continue }
            #expect(field == other)
        }
    }

    @Test
    func `the fields of the device API are there, in the order of CSV headers`() {
        let names = RecordKind.report.fields.map(\.name)
        #expect(names.prefix(4) == ["id", "seq", "captured_at", "latitude"])
        #expect(names.count == 37)
        #expect(names.last == "mock_location")
    }

    @Test
    func `a range narrowed for a technology lies inside the field's own`() throws {
        for column in RadioRange.columns {
            let field = try #require(RecordKind.report.field(column))
            for type in NetworkType.allCases {
                guard let range = RadioRange.range(of: column, on: type) else { continue }
                #expect(field.range.contains(range.lowerBound) && field.range.contains(range.upperBound))
            }
        }
    }

    @Test
    func `network types are understood in any case, by generation and by RTR's numbers`() {
        let choices = Choices.networkType
        #expect(choices.code(of: "lte_ca") == NetworkType.lteCA.rawValue)
        #expect(choices.code(of: "5G") == NetworkType.nrSA.rawValue)
        #expect(choices.code(of: "hspa+") == NetworkType.hspaPlus.rawValue)
        #expect(choices.numbers[41] == NetworkType.nrNSA.rawValue)
        #expect(choices.code(of: "6G") == nil)
        #expect(choices.name(of: NetworkType.none.rawValue) == "NONE")
        #expect(choices.name(of: 99) == nil)
    }
}
