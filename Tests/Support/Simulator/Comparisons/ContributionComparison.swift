import GRDB
import Models
import Storage

/// Compares who helped to raise which alarm, at the router and in ingest's copies, with the model.
struct ContributionComparison {
    let router: ServiceDatabase
    let copies: ServiceDatabase
    /// Operators and cells of whose alarms nobody can say which there are.
    let doubtful: Set<ReferenceAlarm>
    /// Devices of which a part was erased, and perhaps this with it.
    let unsure: Set<Int>

    /// - Parameter expected: with the time of the first record of each.
    func compare(_ expected: [ReferenceContribution: Int]) throws {
        try compare(atTheRouter(), expected, "router")
        try compare(inTheCopies(), expected, "copy")
    }

    private func compare(
        _ found: [ReferenceContribution: Int], _ expected: [ReferenceContribution: Int], _ place: String
    ) throws {
        let found = found.filter { !doubtful.contains($0.key.alarm.place) && !unsure.contains($0.key.device) }
        guard found == expected else {
            throw SimulationFailure("contributions at the \(place) are \(found), expected \(expected)")
        }
    }

    private func atTheRouter() throws -> [ReferenceContribution: Int] {
        let rows = try router.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT id, device, first_at FROM alarm_devices JOIN alarms ON number = alarm
                    WHERE scheme = 'cell' AND owner_scheme = 'plmn'
                    """)
        }
        return Dictionary(
            uniqueKeysWithValues: rows.map { row in
                (ReferenceContribution(alarm: AlarmComparison.alarm(row[0]), device: row[1]), row[2])
            })
    }

    private func inTheCopies() throws -> [ReferenceContribution: Int] {
        let rows = try copies.read { try Row.fetchAll($0, sql: "SELECT alarm, device, first_at FROM contributions") }
        return Dictionary(
            uniqueKeysWithValues: rows.map { row in
                (ReferenceContribution(alarm: AlarmComparison.alarm(row[0]), device: row[1]), row[2])
            })
    }
}
