import Lanes
import Models
import Storage
import Testing

@testable import AlertRouter

@Suite struct AlertLeapsTests {
    private let start: UnixMilliseconds = 1_750_000_000_000

    private func raise(_ bench: RouterBench, _ number: UInt64, device: Int64) throws {
        // Bad, then worse: two messages each time a device comes to an alarm of another network.
        var urgent = Urgent.drop(device: device)
        urgent.mnc = Int64(number)
        try bench.engine.step([Urgent.block(number, [urgent])], now: start + Int64(number))
    }

    @Test func `numbers go on far ahead, and what was sent before can still be asked for`() throws {
        let bench = try RouterBench()
        for number in 1...3 { try raise(bench, UInt64(number), device: Int64(number)) }
        try bench.database.write { try AlertLeaps.leap($0) }
        try bench.restart()
        try raise(bench, 4, device: 4)
        #expect(bench.messages.map(\.seq) == [1, 2, 3, 4 + AlertLeaps.width])
        #expect(try bench.stored().map(\.seq) == [1, 2, 3, 4 + AlertLeaps.width])
        // A subscriber of the life that was lost had come to 50.
        #expect(try bench.stored(.replay(after: 50, prefix: [])).map(\.seq) == [4 + AlertLeaps.width])
    }

    @Test func `who was sent nothing at the backup begins far ahead, and further at each restore`() throws {
        let bench = try RouterBench()
        try bench.database.write { try AlertLeaps.leap($0) }
        try bench.database.write { try AlertLeaps.leap($0, by: 50) }
        try bench.restart()
        try raise(bench, 1, device: 1)
        #expect(bench.messages.map(\.seq) == [AlertLeaps.width + 51])
    }

    @Test func `a leap does not count as messages that are kept`() throws {
        let bench = try RouterBench(), tenant = AlertTenant.regulator.number
        try bench.database.write { db in
            try AlertMessageStore.setLastSeq(100, ofTenant: tenant, db)
            try AlertLeaps.leap(db)
        }
        func number(_ count: Int64, before last: Int64) throws -> Int64 {
            try bench.database.read { try AlertLeaps.number(count, before: last, ofTenant: tenant, $0) }
        }
        let after = 100 + AlertLeaps.width
        #expect(try number(10, before: after + 30) == after + 20)
        #expect(try number(30, before: after + 30) == after)
        #expect(try number(31, before: after + 30) == 99)
        #expect(try number(60, before: after + 30) == 70)
    }
}
