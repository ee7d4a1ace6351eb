import Models
import QoE
import Testing

@testable import AlertRouter

@Suite
struct UrgentRowsTests {
    @Test("each kind of urgent record has its severity")
    func severities() {
        #expect(Urgent(event: .emergency).record.problem.severity == .critical)
        #expect(Urgent(rating: 3, trigger: 2).record.problem.severity == .critical)
        #expect(Urgent(event: .noService).record.problem.severity == .major)
        #expect(Urgent(event: .callDrop).record.problem.severity == .major)
        #expect(Urgent(rating: 2).record.problem.severity == .minor)
        #expect(Urgent(event: .callDrop, rating: 1).record.problem.severity == .major)
    }

    @Test("rows that are not urgent are left out")
    func others() {
        let rows = [
            Urgent(), Urgent(event: .slowData), Urgent(event: .callSetupFailure), Urgent(rating: 3), Urgent(rating: 1),
        ]
        #expect(UrgentRows(Urgent.columns(rows)).records(committedAt: 0).map(\.problem) == [.badRating])
    }

    @Test("an unknown operator and an unsure position have names of their own")
    func unknown() {
        #expect(
            Urgent(event: .callDrop, mnc: nil).record.key.topic(.major) == "alerts/unknown/major/\(Urgent.cell.text)")
        for vague in [
            Urgent(event: .callDrop, latitude: nil, longitude: nil), Urgent(event: .callDrop, accuracy: 50_000),
            Urgent(event: .callDrop, accuracy: 8_000), Urgent(event: .callDrop, latitude: 890_000_000),
        ] {
            #expect(vague.record.key.topic(.major) == "alerts/62401/major/")
        }
    }
}
