import Foundation
import Lanes
import Models
import QoE
import Testing
import Wire

@testable import AlertRouter

@Suite
struct TenantEffectsTests {
    private let start: UnixMilliseconds = 1_750_000_000_000
    private let mtn: Added, orange: Added

    init() throws {
        mtn = try Added("mtn", 1, ["62401"])
        orange = try Added("orange", 2, ["62402"])
    }

    private func bench(_ tenants: [Added]? = nil) throws -> RouterBench {
        let bench = try RouterBench()
        try bench.engine.step([Added.block(1, tenants ?? [mtn, orange])], now: start)
        return bench
    }

    private func drop(_ mnc: Int64?, device: Int64 = 1, servedBy: Int64? = nil) -> Urgent {
        var row = Urgent.drop(device: device, mnc: mnc)
        row.servedBy = servedBy
        return row
    }

    private func header(_ message: AlertMessage) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(message.header)) as? [String: Any])
    }

    @Test
    func `each tenant is told the alarms of its SIMs, with numbers of its own; the regulator is told all`() throws {
        let bench = try bench()
        try bench.engine.step([Urgent.block(1, [drop(1), drop(2), drop(4), drop(nil)])], now: start)
        try bench.engine.step([Urgent.block(2, [Urgent.emergency()])], now: start + 1)
        #expect(bench.messages(of: mtn.tenant).map(\.topic).allSatisfy { $0.hasPrefix("alerts/62401/") })
        #expect(bench.messages(of: mtn.tenant).map(\.seq) == [1, 2, 3])
        #expect(bench.messages(of: orange.tenant).map(\.topic) == ["alerts/62402/major/\(Urgent.cell.text)"])
        #expect(bench.messages(of: orange.tenant).map(\.seq) == [1])
        #expect(bench.messages(of: .regulator).map(\.seq) == [1, 2, 3, 4, 5, 6])
        for tenant in [mtn.tenant, orange.tenant, .regulator] {
            #expect(try bench.stored(of: tenant) == bench.messages(of: tenant))
            for message in bench.messages(of: tenant) {
                #expect(try header(message)["source"] as? String == "/nkul/alerts/\(tenant.name)")
                #expect(try header(message)["seq"] as? Int64 == message.seq)
            }
        }
    }

    @Test
    func `an alarm of an unknown network is the regulator's alone, also of one that was added`() throws {
        let art = try Added("art", 3, [], isRegulator: true)
        let bench = try bench([mtn, orange, art])
        try bench.engine.step([Urgent.block(1, [drop(nil)])], now: start)
        #expect(bench.messages.map(\.tenant) == [0, 3])
    }

    @Test
    func `a tenant whose network served a foreign SIM is told that alarm, as new when it joins later`() throws {
        let bench = try bench()
        try bench.engine.step([Urgent.block(1, [drop(1)])], now: start)
        #expect(bench.messages(of: orange.tenant).isEmpty)
        let told = try bench.engine.step([Urgent.block(2, [drop(1, device: 2, servedBy: 2)])], now: start + 5_000)
        var decoder = ColumnDecoder()
        let columns = try #require(
            told.appended.flatMap(\.blocks).last { $0.header.kind == RecordKind.alarm.id }
        ).columns(with: &decoder)
        #expect(columns[ColumnID.networks]?.value(0).map { String(decoding: $0, as: UTF8.self) } == "62402")
        let joined = bench.messages(of: orange.tenant)
        #expect(joined.map(\.topic) == ["alerts/62401/major/\(Urgent.cell.text)"])
        #expect(try header(joined[0])["type"] as? String == "nkul.alarm.raised")
        #expect(try header(joined[0])["previousSeverity"] is NSNull)
        #expect(try header(bench.messages(of: mtn.tenant)[1])["type"] as? String == "nkul.alarm.updated")
        try bench.engine.step([Urgent.block(3, [Urgent.emergency(device: 3)])], now: start + 9_000)
        #expect(bench.messages(of: orange.tenant).map(\.seq) == [1, 2, 3])
    }

    @Test
    func `a tenant that is added later is told, in parts, of the alarms that are its own, each once`() throws {
        let bench = try bench([mtn])
        let count = MessageHousekeeping.introducedAtOnce * 2 + 7
        for number in 1...UInt64(count) {
            var row = drop(number % 3 == 0 ? 2 : 1)
            row.longitude = 97_680_000 + Int64(number) * 100_000
            try bench.engine.step([Urgent.block(number, [row])], now: start)
        }
        try bench.engine.step([Added.block(2, [orange])], now: start + 1)
        // One alarm is told live before its turn comes.
        var known = drop(2, device: 9)
        known.longitude = 97_680_000 + 3 * 100_000
        try bench.engine.step([Urgent.block(UInt64(count) + 1, [known])], now: start + 2_000)
        try bench.keepHouse(from: start + 2_000)
        let told = bench.messages(of: orange.tenant)
        #expect(told.count == count / 3)
        #expect(told.map(\.seq) == Array(1...Int64(count / 3)))
        #expect(Set(told.map(\.topic)).count == told.count)
        #expect(told.allSatisfy { $0.topic.hasPrefix("alerts/62402/") })
        #expect(try bench.stored(.snapshot(prefix: []), of: orange.tenant).count == told.count)
    }

    @Test
    func `a removed tenant is told nothing more, and its messages are forgotten; the others' stay`() throws {
        let bench = try bench()
        try bench.engine.step([Urgent.block(1, [drop(1), drop(2)])], now: start)
        try bench.engine.step([Added.block(2, [], removed: ["orange"])], now: start + 1)
        try bench.engine.step([Urgent.block(2, [drop(2, device: 3)])], now: start + 5_000)
        try bench.keepHouse(from: start + 5_000)
        #expect(bench.messages(of: orange.tenant).count == 1)
        #expect(try bench.stored(of: orange.tenant).isEmpty)
        #expect(try bench.number("SELECT count(*) FROM alert_latest WHERE tenant = 2") == 0)
        #expect(try bench.stored(of: mtn.tenant).count == 1)
        #expect(bench.effects.present == [mtn.tenant])
    }

    @Test
    func `a name that returns under another number knows nothing of before, and the old number stays spent`() throws {
        let bench = try bench()
        try bench.engine.step([Urgent.block(1, [drop(2)])], now: start)
        let second = try Added("orange", 5, ["62402"])
        try bench.engine.step([Added.block(2, [], removed: ["orange"]), Added.block(3, [second])], now: start + 1)
        try bench.keepHouse(from: start + 2)
        #expect(try bench.stored(of: second.tenant).map(\.seq) == [1])
        #expect(try bench.stored(of: orange.tenant).isEmpty)
        try bench.engine.step([Added.block(4, [try Added("camtel", 2, ["62403"])])], now: start + 3)
        #expect(bench.refusals.count == 1 && bench.refusals[0].hasPrefix("camtel: number 2"))
    }

    @Test
    func `a tenant whose networks become fewer can replay nothing of the others, and is told the new ones`() throws {
        var both = try Added("both", 3, ["62401", "62402"])
        let bench = try bench([both])
        try bench.engine.step([Urgent.block(1, [drop(1), drop(2), drop(4), drop(3, servedBy: 1)])], now: start)
        #expect(try bench.stored(of: both.tenant).count == 3)
        both.document.plmns = ["62402", "62404"]
        try bench.engine.step([Added.block(2, [both])], now: start + 1)
        #expect(try bench.stored(of: both.tenant).map(\.topic) == ["alerts/62402/major/\(Urgent.cell.text)"])
        try bench.keepHouse(from: start + 2)
        let snapshot = try bench.stored(.snapshot(prefix: []), of: both.tenant)
        #expect(snapshot.map { $0.topic.prefix(12) } == ["alerts/62402", "alerts/62404"])
        #expect(try bench.stored(of: both.tenant).map(\.seq) == [2, 4])
    }

    @Test
    func `a router that starts again knows its tenants and goes on with their numbers`() throws {
        let bench = try bench()
        try bench.engine.step([Urgent.block(1, [drop(1)])], now: start)
        let effects = try AlertRouterEffects(programmes: .raisingAll, database: bench.database) { _ in }
        #expect(effects.present == [mtn.tenant, orange.tenant])
        let engine = try EffectEngine(
            database: bench.database, reads: bench.withoutSubjects, journals: bench.engine.journals,
            effects: effects)
        try engine.step([Urgent.block(2, [Urgent.emergency()])], now: start + 1)
        #expect(try bench.stored(of: mtn.tenant).map(\.seq) == [1, 2, 3])
    }

    @Test
    func `a row that is no tenant is refused, and what else its block tells is done`() throws {
        let bench = try RouterBench()
        let columns = Columns(
            rowCount: 2,
            columns: [
                Column(id: ColumnID.key, strings: [Array("x".utf8), Array("mtn".utf8)]),
                Column(
                    id: ColumnID.document,
                    strings: [Array("{".utf8), Array(try JSONEncoder().encode(mtn.document))]),
            ])
        try bench.engine.step([LaneBlock(.operations, 1, .tenant, columns)], now: start)
        #expect(bench.refusals.count == 1 && bench.refusals[0].hasPrefix("x: "))
        #expect(bench.effects.present == [mtn.tenant])
    }

    @Test
    func `old messages of every tenant go`() throws {
        let bench = try RouterBench(keep: 60_000)
        try bench.engine.step([Added.block(1, [mtn, orange])], now: start)
        for number in 1...10 as ClosedRange<UInt64> {
            let rows = [drop(1, device: Int64(number)), drop(2, device: Int64(number))]
            try bench.engine.step([Urgent.block(number, rows)], now: start + Int64(number) * 5_000)
        }
        try bench.keepHouse(from: start + 10_000_000)
        for tenant in [mtn.tenant, orange.tenant] { #expect(try bench.stored(of: tenant).map(\.seq) == [10]) }
        #expect(try bench.stored().map(\.seq) == [19, 20])
    }
}
