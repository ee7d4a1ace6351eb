import Foundation
import Models
import QoE
import Testing

@Suite struct CountingRulesTests {
    private func dump(_ rows: [AcceptedRow], zone: String = "Africa/Douala") throws -> [String] {
        let world = try AggregatorWorld(zone: zone)
        try world.step([try world.block(rows)])
        try world.settle()
        return try world.dump().split(separator: "\n").map(String.init)
    }

    @Test func `a row counts in eleven levels of three buckets`() throws {
        let lines = try dump([.plain()])
        #expect(lines.count == 33)
        #expect(lines.filter { $0.hasPrefix("300 1785000000 ") }.count == 11)
        #expect(lines.filter { $0.hasPrefix("3600 1784998800 ") }.count == 11)
        #expect(lines.filter { $0.hasPrefix("86400 1784934000 ") }.count == 11)
    }

    @Test(arguments: [(50, 16), (6_090, 16), (6_110, 15), (10_000, 15), (48_700, 13), (100_000, 11)])
    func `the level follows from the accuracy`(
        accuracy: Int64, level: Int
    ) throws {
        var row = AcceptedRow.plain()
        row[ColumnID.accuracy] = accuracy
        #expect(try dump([row]).map { $0.split(separator: " ")[2].count }.max() == level)
    }

    @Test func `rows that are unsure or fast count without a cell`() throws {
        var unsure = AcceptedRow.plain(), fast = AcceptedRow.plain(), nowhere = AcceptedRow.plain()
        unsure[ColumnID.accuracy] = 100_001
        fast[ColumnID.speed] = 5_001
        nowhere[ColumnID.latitude] = nil
        #expect(
            try dump([unsure, fast, nowhere]) == [
                "300 1785000000 - 62401 4G shared samples=3 devices=1",
                "3600 1784998800 - 62401 4G shared samples=3 devices=1",
                "86400 1784934000 - 62401 4G shared samples=3 devices=1",
            ])
    }

    @Test func `radio counts for the serving network and failures for the SIMs`() throws {
        var row = AcceptedRow.plain()
        row[ColumnID.latitude] = nil
        row[ColumnID.servingMCC] = 624
        row[ColumnID.servingMNC] = 4
        row[ColumnID.rsrp] = -843
        #expect(try dump([row]).first == "300 1785000000 - 62404 4G shared samples=1 devices=1 rsrp_dbm=-85:1")
        #expect(try dump([row]).count == 3)
        row[ColumnID.event] = NetworkEvent.callDrop.rawValue
        #expect(
            try dump([row]).prefix(2) == [
                "300 1785000000 - 62401 4G shared samples=1 devices=1 event=0:1",
                "300 1785000000 - 62404 4G shared samples=1 devices=1 rsrp_dbm=-85:1",
            ])
    }

    @Test func `no network counts for the SIMs too and once if it is the same`() throws {
        var row = AcceptedRow.plain()
        row[ColumnID.latitude] = nil
        row[ColumnID.networkType] = NetworkType.none.rawValue
        #expect(try dump([row]).first == "300 1785000000 - 62401 NONE shared samples=1 devices=1")
        #expect(try dump([row]).count == 3)
        row[ColumnID.servingMCC] = 624
        row[ColumnID.servingMNC] = 2
        #expect(try dump([row]).count == 6)
    }

    @Test func `a network nobody named is a dash`() throws {
        var row = AcceptedRow.plain()
        row[ColumnID.latitude] = nil
        row[ColumnID.mnc] = nil
        row[ColumnID.networkType] = nil
        #expect(try dump([row]).first == "300 1785000000 - - UNKNOWN shared samples=1 devices=1")
    }

    @Test func `day buckets are local days also when they have 25 hours`() throws {
        // Paris left summer time on 25 October 2026 at 01:00 UTC; that day began at 22:00 UTC the day before.
        let begin: Int64 = 1_792_879_200
        for second in [begin, begin + 24 * 3_600 + 3_599] {
            var row = AcceptedRow.plain(capturedAt: second * 1_000)
            row[ColumnID.latitude] = nil
            #expect(
                try dump([row], zone: "Europe/Paris").last == "86400 \(begin) - 62401 4G shared samples=1 devices=1")
        }
        var next = AcceptedRow.plain(capturedAt: (begin + 25 * 3_600) * 1_000)
        next[ColumnID.latitude] = nil
        #expect(try dump([next], zone: "Europe/Paris").last!.hasPrefix("86400 \(begin + 25 * 3_600) "))
    }

    @Test func `hours of UTC that straddle local days are summed from both`() throws {
        // India is 5½ hours ahead: midnight there is in the middle of an hour of UTC.
        let midnight: Int64 = 1_785_004_200
        let rows = [AcceptedRow.plain(capturedAt: midnight * 1_000 - 1), .plain(capturedAt: midnight * 1_000)]
        let hours = try dump(rows, zone: "Asia/Kolkata").filter { $0.hasPrefix("3600 ") }
        #expect(hours.count == 11)
        #expect(hours.allSatisfy { $0.contains(" samples=2 devices=1") })
    }
}
