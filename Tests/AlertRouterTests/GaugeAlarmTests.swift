import Foundation
import Lanes
import Models
import QoE
import Testing
import Wire

@testable import AlertRouter

/// Alarms of a programme that the router knows by the registry alone.
@Suite struct GaugeAlarmTests {
    private let start: UnixMilliseconds = 1_750_000_000_000
    private let harbour: Added, hill: Added, mtn: Added, art: Added

    init() throws {
        harbour = try Added("harbour", 1, [], scopes: ["site:12"])
        hill = try Added("hill", 2, [], scopes: ["site:13", "campus:12"])
        mtn = try Added("mtn", 3, ["62401"])
        art = try Added("art", 4, [], isRegulator: true)
    }

    private func bench() throws -> RouterBench {
        let bench = try RouterBench(WaterGauges.programmes())
        try bench.engine.step([Added.block(1, [harbour, hill, mtn, art])], now: start)
        return bench
    }

    private func document(_ message: AlertMessage?) throws -> [String: Any] {
        let body = try Inflater.inflate(try #require(message).body, format: .zlib, limit: 10_000)
        return try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
    }

    @Test func `an alarm about a gauge is told to the tenant of its site, to regulators, and to nobody else`() throws {
        let bench = try bench()
        try bench.engine.step([WaterGauges.block(1, [.init()])], now: start)
        #expect(bench.messages.map(\.tenant) == [0, 1, 4])
        #expect(bench.messages.allSatisfy { $0.topic == "alerts/site/12/critical/7" })
        try bench.engine.step(
            [WaterGauges.block(2, [.init(site: 13), .init(site: nil), .init(site: 1 << 24)])], now: start)
        #expect(bench.messages(of: hill.tenant).map(\.topic) == ["alerts/site/13/critical/7"])
        #expect(bench.messages(of: harbour.tenant).count == 1 && bench.messages(of: mtn.tenant).isEmpty)
        let unknown = bench.messages(of: art.tenant).map(\.topic).suffix(1)
        #expect(unknown == ["alerts/site/unknown/critical/7"])
        #expect(try bench.number("SELECT count(*) FROM alarms") == 3)
    }

    @Test func `an alarm about a gauge counts devices and is as severe as the worst of them says`() throws {
        let bench = try bench()
        try bench.engine.step([WaterGauges.block(1, [.init(state: 1), .init(device: 2, state: 0)])], now: start)
        try bench.engine.step([WaterGauges.block(2, [.init(state: 1), .init(device: 3)])], now: start + 5_000)
        #expect(
            bench.messages(of: harbour.tenant).map(\.topic) == [
                "alerts/site/12/minor/7", "alerts/site/12/minor/7", "alerts/site/12/critical/7",
            ])
        let document = try document(bench.messages(of: harbour.tenant).last)
        #expect(document["devices"] as? Int == 2 && document["records"] as? Int == 3)
        #expect(document["rule"] as? String == "urgent.flood" && document["scope"] as? String == "site:12")
        #expect(document["alarmedObject"] as? [String: String] == ["id": "7", "@referredType": "Gauge"])
        #expect(document["plmn"] == nil && document["cell"] == nil && document["place"] == nil)
        #expect(document["specificProblem"] as? String == "a gauge is flooded")
    }

    @Test func `an alarm about a gauge has one identifier, which is a digest of its key, also on the lane`() throws {
        let bench = try bench()
        let told = try bench.engine.step(
            [WaterGauges.block(1, [.init(), .init(gauge: 8), .init(site: 13)])], now: start)
        let keys = [(12, 7), (12, 8), (13, 7)].map { site, gauge in
            AlarmKey(
                owner: Scope(scheme: "site", number: site), subject: .number(scheme: "gauge", gauge))
        }
        let ids = keys.map { $0.id(raisedAt: start) }
        #expect(Set(ids).count == 3 && ids.allSatisfy { $0.utf8.count == 32 })
        // printf '\0\0\0\6urgent\0\0\0\5gauge\0\0\0\7site:12\0\0\0\1%d\0\0\0\1%d' 7 1 | sha256sum
        #expect(ids[0] == "b4caf39ddabbb7064acd77facf6ae32f")
        let second = AlarmKey(owner: keys[0].owner, subject: keys[0].subject, episode: 2)
        #expect(second.id(raisedAt: start) != ids[0])
        var decoder = ColumnDecoder()
        let blocks = told.appended.flatMap(\.blocks).filter { $0.header.kind == RecordKind.alarm.id }
        let columns = try #require(blocks.first).columns(with: &decoder)
        func texts(_ column: UInt8) -> [String?] {
            (0..<columns.rowCount).map { columns[column]?.value($0).map { String(decoding: $0, as: UTF8.self) } }
        }
        #expect(texts(ColumnID.key) == ids && texts(ColumnID.scope) == ["site:12", "site:12", "site:13"])
        #expect(columns[ColumnID.networks] == nil)
    }

    @Test func `a tenant of sites that comes later is told what is there, and one that owns less forgets the rest`()
        throws
    {
        let bench = try RouterBench(WaterGauges.programmes())
        try bench.engine.step([WaterGauges.block(1, [.init(), .init(site: 13)])], now: start)
        try bench.engine.step([Urgent.block(2, [.drop()])], now: start)
        var both = harbour
        both.document.scopes = ["site:12", "site:13"]
        try bench.engine.step([Added.block(1, [both])], now: start)
        try bench.keepHouse(from: start)
        #expect(
            bench.messages(of: both.tenant).map(\.topic) == ["alerts/site/12/critical/7", "alerts/site/13/critical/7"])
        try bench.engine.step([Added.block(2, [harbour])], now: start + 1)
        #expect(try bench.stored(of: harbour.tenant).map(\.topic) == ["alerts/site/12/critical/7"])
        try bench.restart()
        #expect(bench.effects.present == [harbour.tenant])
    }

    @Test func `alarms of networks are the same with another programme beside, and its own stay with them`() throws {
        let (alone, together) = (try RouterBench(), try RouterBench(WaterGauges.programmes()))
        for bench in [alone, together] {
            try bench.engine.step([Urgent.block(1, [.drop(), .bad(device: 2), .emergency(device: 3)])], now: start)
        }
        #expect(alone.messages == together.messages && !alone.messages.isEmpty)
    }

    @Test func `a kind that no programme has is an error that names lane and kind`() throws {
        let bench = try RouterBench()
        let error = #expect(throws: LaneError.self) {
            try bench.engine.step([WaterGauges.block(1, [.init()])], now: start)
        }
        #expect(error == .notHandled(lane: .realtime, kind: "64", reader: "alert-router"))
        #expect(try bench.number("SELECT count(*) FROM alarms") == 0)
    }

    @Test func `alarms of a programme that runs no more are an error at start, which names one`() throws {
        let bench = try bench()
        try bench.engine.step([WaterGauges.block(1, [.init()])], now: start)
        let error = #expect(throws: UnreadableAlarm.self) {
            try AlertRouterEffects(programmes: .raisingAll, database: bench.database) { _ in }
        }
        #expect(try #require(error).reason.contains("problem 64"))
    }

    @Test func `a programme with the number of the router's own problem is an error that names both`() throws {
        let record = RecordKind(
            id: 65, name: "leak", version: 1, fields: WaterGauges.record.fields, serverFields: Field.reception,
            problems: [
                AlarmProblem(
                    5, rule: "urgent.leak", severity: .minor, type: "", cause: "", text: "", french: "",
                    when: [ColumnCondition(WaterGauges.state, is: 1)])
            ])
        let kind = ProgrammeKind(
            record, path: "/v1/leaks", description: WaterGauges.kind.description, scope: WaterGauges.kind.scope,
            held: WaterGauges.kind.held)
        let programmes = try Programmes([Programme(number: 2, name: "leaks", kinds: [kind])])
        let error = #expect(throws: ProgrammeError.self) { try AlarmProblems(programmes) }
        let text = "\(try #require(error))"
        #expect(text.contains("urgent.leak") && text.contains("erasure.late"))
    }

    @Test func `the lane is read for kinds that can report problems, of all programmes`() throws {
        let lane = try AlertRouterEffects.subscriptions(WaterGauges.programmes()).first { $0.lane == .realtime }
        #expect(lane?.kinds.map(\.name) == ["report", "feedback", "gauge_reading"])
    }
}
