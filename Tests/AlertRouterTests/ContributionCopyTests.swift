import Foundation
import GRDB
import Lanes
import Models
import Storage
import SubjectRights
import Testing

@testable import AlertRouter

@Suite struct ContributionCopyTests {
    private let start: UnixMilliseconds = 1_750_000_000_000

    private func lines(_ bench: RouterBench, of device: UInt64) throws -> [[String: Any]] {
        let copy = ContributionCopy(bench.effects.store)
        var place: String?, lines: [SubjectLine] = []
        repeat {
            let page = try bench.database.read { try copy.page(of: device, after: place, in: $0) }
            lines += page.lines
            place = page.next
        } while place != nil
        #expect(lines.allSatisfy { line in copy.held.contains { $0.kind == line.kind } })
        return try lines.map { try JSONSerialization.jsonObject(with: Data($0.members)) as? [String: Any] ?? [:] }
    }

    @Test
    func `a device is given the alarms in which its records count, and no other's`() throws {
        let bench = try RouterBench()
        try bench.engine.step([Urgent.block(1, [.drop(), .drop(), .drop(device: 2)])], now: start)
        let mine = try lines(bench, of: 1), others = try lines(bench, of: 2)
        #expect(mine.count == 1 && mine[0]["records"] as? Int == 2)
        #expect(mine[0]["problem"] as? String == "urgent.call_drop" && mine[0]["severity"] as? String == "major")
        #expect(mine[0]["alarm"] as? String == others[0]["alarm"] as? String && others[0]["records"] as? Int == 1)
        #expect(try lines(bench, of: 3).isEmpty)
    }

    @Test
    func `page by page every alarm comes once`() throws {
        let bench = try RouterBench()
        try bench.engine.step([Urgent.block(1, [.drop(device: 2)])], now: start)
        try bench.database.write { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
                    INSERT INTO alarms (id, rule, scheme, owner_scheme, owner, subject, episode, severity, problem, raised_at,
                        changed_at, records, devices, published_at)
                    SELECT 'n' || i, 'urgent', 'cell', 'plmn', 624001, '', 1 + i, 'major', 3, i, i, 1, 1, i FROM n;
                    INSERT INTO alarm_devices (alarm, device, records, first_at)
                    SELECT number, 1, 1, raised_at FROM alarms WHERE episode > 1 AND episode <= 251;
                    """)
        }
        let alarms = try lines(bench, of: 1).compactMap { $0["raised_at_ms"] as? Int }
        #expect(alarms == Array(1...250))
    }

    @Test
    func `of an alarm about something else the subject is told whose and what it is`() throws {
        let bench = try RouterBench(WaterGauges.programmes())
        try bench.engine.step([WaterGauges.block(1, [.init()]), Urgent.block(2, [.drop()])], now: start)
        let lines = try lines(bench, of: 1)
        #expect(lines.map { $0["scope"] as? String } == ["site:12", nil])
        #expect(lines.map { $0["subject"] as? String } == ["7", nil])
        #expect(lines.map { $0["network"] as? String } == [nil, "62401"])
        #expect(lines.map { $0["cell"] as? String } == [nil, Urgent.cell.text])
    }
}
