import Models
import QoE
import Testing
import Wire

@testable import AlertRouter

@Suite
struct UrgentRowsTests {
    @Test
    func `each kind of urgent record has its severity`() {
        #expect(Urgent(event: .emergency).record.problem.severity == .critical)
        #expect(Urgent(rating: 3, trigger: 2).record.problem.severity == .critical)
        #expect(Urgent(event: .noService).record.problem.severity == .major)
        #expect(Urgent(event: .callDrop).record.problem.severity == .major)
        #expect(Urgent(rating: 2).record.problem.severity == .minor)
        #expect(Urgent(event: .callDrop, rating: 1).record.problem.severity == .major)
    }

    @Test
    func `rows that are not urgent are left out`() {
        let rows = [
            Urgent(), Urgent(event: .slowData), Urgent(event: .callSetupFailure), Urgent(rating: 3), Urgent(rating: 1),
        ]
        let records = UrgentRows(Urgent.columns(rows), of: .raising(.feedback)).records(committedAt: 0)
        #expect(records.map(\.problem.rule) == [AlarmProblem.badRating.rule])
    }

    @Test
    func `an unknown operator and an unsure position have names of their own`() {
        #expect(
            Urgent(event: .callDrop, mnc: nil).record.key.topic(.major) == "alerts/unknown/major/\(Urgent.cell.text)")
        for vague in [
            Urgent(event: .callDrop, latitude: nil, longitude: nil), Urgent(event: .callDrop, accuracy: 50_000),
            Urgent(event: .callDrop, accuracy: 8_000), Urgent(event: .callDrop, latitude: 890_000_000),
        ] {
            #expect(vague.record.key.topic(.major) == "alerts/62401/major/")
        }
    }

    @Test func `one record of mobile networks raises an emergency and nothing else`() {
        let rows = [
            Urgent(event: .noService), Urgent(event: .callDrop), Urgent(rating: 1), Urgent(rating: 3, trigger: 2),
            Urgent(event: .emergency),
        ]
        for kind in [ProgrammeKind.report, .feedback] {
            let records = UrgentRows(Urgent.columns(rows), of: kind).records(committedAt: 0)
            #expect(records.map(\.problem) == [AlarmProblem](repeating: .emergency, count: 2))
        }
        // All of them travel on the lane of what is urgent.
        for event in [NetworkEvent.noService, .callDrop] {
            #expect(RecordKind.report.problem { $0 == ColumnID.event ? event.rawValue : nil } != nil)
        }
        #expect(RecordKind.feedback.problem { $0 == ColumnID.rating ? 1 : nil } == .badRating)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `what a row reports is what its kind declares, whichever columns its block has`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for kind in [.raising(.report), .raising(.feedback), WaterGauges.kind] as [ProgrammeKind] {
            let columns = kind.kind.problemColumns.filter { _ in random.below(4) > 0 }.map { column in
                Column(id: column, values: (0..<200).map { _ in random.below(3) == 0 ? nil : Int64(random.below(8)) })
            }
            let table = Columns(rowCount: 200, columns: columns)
            let expected = (0..<200).compactMap { row in kind.kind.problem { table[$0]?.integer(row) } }
            #expect(UrgentRows(table, of: kind).records(committedAt: 0).map(\.problem) == expected)
        }
    }

    @Test
    func `what a kind does not declare it does not report`() {
        let rows = Urgent.columns([Urgent(rating: 1, trigger: 2)])
        #expect(UrgentRows(rows, of: .feedback).records(committedAt: 0).map(\.problem) == [.emergency])
        #expect(UrgentRows(Urgent.columns([Urgent(rating: 1)]), of: .report).records(committedAt: 0).isEmpty)
    }
}
