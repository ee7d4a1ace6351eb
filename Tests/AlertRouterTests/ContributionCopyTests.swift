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
        let copy = ContributionCopy()
        var place: String?, lines: [SubjectLine] = []
        repeat {
            let page = try bench.database.read { try copy.page(of: device, after: place, in: $0) }
            lines += page.lines
            place = page.next
        } while place != nil
        #expect(lines.allSatisfy { line in copy.held.contains { $0.kind == line.kind } })
        return try lines.map { try JSONSerialization.jsonObject(with: Data($0.members)) as? [String: Any] ?? [:] }
    }

    @Test("a device is given the alarms in which its records count, and no other's")
    func ownAlarms() throws {
        let bench = try RouterBench()
        try bench.engine.step([Urgent.block(1, [.drop(), .drop(), .drop(device: 2)])], now: start)
        let mine = try lines(bench, of: 1), others = try lines(bench, of: 2)
        #expect(mine.count == 1 && mine[0]["records"] as? Int == 2)
        #expect(mine[0]["problem"] as? String == "urgent.call_drop" && mine[0]["severity"] as? String == "major")
        #expect(mine[0]["alarm"] as? String == others[0]["alarm"] as? String && others[0]["records"] as? Int == 1)
        #expect(try lines(bench, of: 3).isEmpty)
    }

    @Test("page by page every alarm comes once")
    func pages() throws {
        let bench = try RouterBench()
        try bench.engine.step([Urgent.block(1, [.drop(device: 2)])], now: start)
        try bench.database.write { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
                    INSERT INTO alarms (plmn, cell, severity, problem, raised_at, changed_at, records, devices, published_at)
                    SELECT 624001, 1000 + i, 'major', 3, i, i, 1, 1, i FROM n;
                    INSERT INTO alarm_devices (alarm, device, records, first_at)
                    SELECT number, 1, 1, raised_at FROM alarms WHERE cell > 1000 AND cell <= 1250;
                    """)
        }
        let alarms = try lines(bench, of: 1).compactMap { $0["raised_at_ms"] as? Int }
        #expect(alarms == Array(1...250))
    }
}
