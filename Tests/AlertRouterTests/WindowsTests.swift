import AlarmRules
import Foundation
import GRDB
import Lanes
import Models
import QoE
import Storage
import SubjectRights
import Testing
import Wire

@testable import AlertRouter

/// Rules in the router: rows in, alarms out, whatever is killed.
@Suite struct WindowsTests {
    @Test func `an outage is one alarm that is raised by its third phone, and cleared when nobody is left`() throws {
        let bench = try WindowsBench(), start = WindowsBench.start
        let phones = (1...3).map { phone in
            Urgent(device: Int64(phone), receivedAt: start + Int64(phone) * 60_000, event: .noService)
        }
        try bench.step([WindowsBench.block(1, Array(phones[..<2]))], now: start)
        #expect(bench.router.messages.isEmpty)
        try bench.step([WindowsBench.block(2, [phones[2]])], now: start)
        try #require(bench.router.messages.count == 1)
        let cell = Urgent.cell.parent(at: 10)
        #expect(bench.router.messages[0].topic == "alerts/62401/major/\(cell.text)")
        for minute in 4..<300 {
            let at = start + Int64(minute) * 60_000
            try bench.step([WindowsBench.block(UInt64(minute), [Urgent(device: 9, receivedAt: at)])], now: at)
            try bench.complete(to: at)
        }
        #expect(bench.router.messages.map(\.topic).last == "alerts/62401/cleared/\(cell.text)")
        let alarms = try bench.alarms()
        #expect(
            alarms.count == 1 && alarms[0].hasPrefix("\"built-in.no_service\" 624001 \"\(cell.text)\" 1 \"cleared\""))
        #expect(bench.router.messages.filter { $0.topic.contains("cleared") }.count == 1)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `the same blocks give the same alarms and times with fifty restarts`(seed: UInt64) throws {
        let blocks = try WindowsBench.outage(seed: seed)
        let whole = try WindowsBench()
        try whole.play(blocks)
        let alarms = try whole.alarms()
        #expect(alarms.contains { $0.contains("built-in.no_service") && $0.contains("cleared") })
        let sealer = BlockSealer(key: [UInt8](repeating: 7, count: 32))
        let killed = try WindowsBench(sealer: seed == 2 ? sealer : nil)
        var random = SplitMix64(seed: seed)
        try killed.play(blocks, restartsBefore: Set((0..<50).map { _ in random.below(blocks.count) }))
        #expect(try killed.alarms() == alarms)
        #expect(
            killed.router.messages.map { [$0.topic] } == whole.router.messages.map { [$0.topic] })
    }

    @Test func `an hour without ingest clears nothing, and old and fresh rows of one cell count when they happened`()
        throws
    {
        let bench = try WindowsBench(), start = WindowsBench.start, back = start + 3_600_000
        let phones = (1...3).map { Urgent(device: $0, receivedAt: start, event: .noService) }
        try bench.step([WindowsBench.block(1, phones)], now: start)
        for minute in 1...60 { try bench.complete(to: start + UnixMilliseconds(minute) * 60_000) }
        #expect(bench.router.messages.count == 1)
        // One phone had no service half an hour ago; the others have it again.
        let waited = Urgent(device: 4, receivedAt: back, event: .noService, age: 1_800_000)
        let fresh = (1...3).map { Urgent(device: $0, receivedAt: back) }
        try bench.step([WindowsBench.block(2, [waited] + fresh)], now: back)
        for minute in 61..<240 {
            let at = start + UnixMilliseconds(minute) * 60_000
            try bench.step([WindowsBench.block(UInt64(minute), [Urgent(device: 9, receivedAt: at)])], now: at)
            try bench.complete(to: at)
        }
        let alarms = try bench.alarms()
        // Nobody was heard from the 40th minute to the 60th: the 45 minutes begin when somebody is.
        let cleared = start + 105 * 60_000
        #expect(alarms.count == 1 && alarms[0].contains(" 1 \"cleared\" \(start) "), "\(alarms)")
        #expect(alarms[0].hasSuffix(" \(cleared) 4"), "\(alarms)")
        #expect(bench.router.messages.filter { $0.topic.contains("cleared") }.count == 1)
    }

    @Test func `what the windows wrote and the router had not taken is taken after a restart, once`() throws {
        let bench = try WindowsBench(), start = WindowsBench.start
        let phones = (1...3).map { Urgent(device: $0, receivedAt: start, event: .noService) }
        try bench.engine.step([WindowsBench.block(1, phones)], now: start)
        #expect(try bench.alarms().isEmpty)
        try bench.restart()
        try bench.step([], now: start)
        #expect(try bench.alarms().count == 1)
        try bench.restart()
        try bench.step([WindowsBench.block(1, phones)], now: start)
        #expect(try bench.alarms().count == 1 && bench.router.messages.count == 1)
    }

    @Test func `a rule of a built-in name takes its place, another runs beside them, one that is none is refused`()
        throws
    {
        let bench = try WindowsBench(), start = WindowsBench.start
        let pair = BuiltIn.noService.replacing("\"set\": 3", with: "\"set\": 2").replacing(
            "\"devices\": 3", with: "\"devices\": 2")
        try bench.step([], now: start)
        let before = bench.windows.engine.rules.count
        try bench.step([WindowsBench.rule(1, "built-in.no_service", pair)], now: start)
        #expect(bench.windows.engine.rules.count == before && bench.windows.refusals.isEmpty)
        let words = pair.replacing("no service", with: "no \\\"service\\\"")
        try bench.step([WindowsBench.rule(2, "pair", words)], now: start)
        try bench.step([WindowsBench.rule(3, "none", "{\"version\": 1}")], now: start)
        try bench.step([WindowsBench.rule(4, "urgent", pair)], now: start)
        #expect(bench.windows.engine.rules.count == before + 1)
        #expect(bench.windows.refusals.map(\.id) == ["none", "urgent"])
        #expect(bench.windows.refusals[0].reason.contains("kind"))
        try bench.restart()
        let phones = (1...2).map { Urgent(device: $0, receivedAt: start, event: .noService) }
        try bench.step([WindowsBench.block(1, phones)], now: start)
        #expect(try bench.alarms().count == 2)
        let documents = try bench.router.messages.map { message in
            try JSONSerialization.jsonObject(with: Data(message.clear())) as? [String: Any]
        }
        #expect(documents.contains { $0?["specificProblem"] as? String == "subscribers have no \"service\"" })
        try bench.step([WindowsBench.rule(5, "pair", nil), WindowsBench.rule(6, "none", nil)], now: start)
        #expect(try bench.alarms().filter { $0.contains("cleared") }.count == 1)
        #expect(bench.windows.refusals.map(\.id) == ["urgent"])
    }

    @Test(arguments: [false, true])
    func `a rule that was removed and is set again raises alarms again`(isRestarted: Bool) throws {
        let bench = try WindowsBench(), start = WindowsBench.start
        let pair = BuiltIn.noService.replacing("\"set\": 3", with: "\"set\": 2").replacing(
            "\"devices\": 3", with: "\"devices\": 2")
        for round in 0..<3 as Range<Int64> {
            let at = start + round * 7_200_000, number = UInt64(round) * 10
            try bench.step([WindowsBench.rule(number + 1, "pair", pair)], now: at)
            let phones = (1...2).map { Urgent(device: $0, receivedAt: at, event: .noService) }
            try bench.step([WindowsBench.block(number + 1, phones)], now: at)
            #expect(try bench.alarms().map { $0.contains("\"cleared\"") } == (0...round).map { $0 < round })
            if isRestarted { try bench.restart() }
            try bench.step([WindowsBench.rule(number + 2, "pair", nil)], now: at + 1)
            if isRestarted { try bench.restart() }
            // Two devices counted in each, although the watermark has not come to any.
            #expect(try bench.alarms().allSatisfy { $0.contains("\"cleared\"") && $0.hasSuffix(" 2") })
        }
    }

    @Test func `an erased device is in no window, no waiting row and no alarm`() throws {
        let bench = try WindowsBench(), start = WindowsBench.start
        let phones = (1...4).map { Urgent(device: $0, receivedAt: start, event: .noService) }
        try bench.step([WindowsBench.block(1, phones)], now: start)
        let later = start + 3_720_000
        try bench.complete(to: later)
        try bench.step([WindowsBench.block(2, [phones[0]])], now: later)
        #expect(try bench.number("SELECT count(*) FROM window_inputs") > 0)
        let document = ErasureSubjectDocument(
            request: "r1", subject: "ab", scope: .everything,
            barriers: [Position(lane: .batch, generation: 7, block: 2)])
        let columns = try ErasureSubject.columns([ErasureSubject(device: 1, document: document)])
        try bench.step([LaneBlock(.privacy, 1, .erasureSubject, columns, subjects: [1])], now: later)
        for _ in 0..<20 { try bench.step([], now: later) }
        #expect(try bench.database.read { try ErasureExecutor.done($0) } == ["r1"])
        #expect(try bench.number("SELECT count(*) FROM window_inputs") == 0)
        try bench.restart()
        var engine = bench.windows.engine
        #expect(engine.erase(1).windows == 0 && engine.erase(2).windows > 0)
        #expect(try bench.alarms().map { $0.hasSuffix(" 3") } == [true])
    }

    @Test func `alarms of windows that are lost are over, and the next ones are others`() throws {
        let bench = try WindowsBench(), start = WindowsBench.start
        let phones = (1...3).map { Urgent(device: $0, receivedAt: start, event: .noService) }
        try bench.step([WindowsBench.block(1, phones)], now: start)
        try bench.database.write { try $0.execute(sql: "UPDATE window_state SET engine = x'ff'") }
        try bench.restart()
        #expect(bench.windows.lost != nil)
        try bench.step([], now: start + 1)
        #expect(try bench.alarms().map { $0.contains("\"cleared\"") } == [true])
        try bench.step([WindowsBench.block(2, phones)], now: start + 2)
        #expect(try bench.alarms().map { $0.contains("\"cleared\"") } == [true, false])
        #expect(Set(try bench.alarms()).count == 2)
    }

    @Test func `clocks that are set back by a day begin the windows anew, whatever is killed`() throws {
        for restarts in [false, true] {
            let bench = try WindowsBench(), start = WindowsBench.start
            let phones = (1...3).map { Urgent(device: $0, receivedAt: start, event: .noService) }
            try bench.step([WindowsBench.block(1, phones)], now: start)
            try bench.complete(to: start + 86_400_000)
            if restarts { try bench.restart() }
            let day = start + 600_000
            try bench.complete(to: day)
            if restarts { try bench.restart() }
            let later = (4...6).map { Urgent(device: $0, receivedAt: day, event: .noService) }
            try bench.step([WindowsBench.block(2, later)], now: day)
            #expect(try bench.alarms().map { $0.contains("\"cleared\"") } == [true, false])
            #expect(try bench.alarms()[1].hasPrefix("\"built-in.no_service\""))
        }
    }

    @Test func `everybody but regulators is told the devices of a rule's alarm in bands`() throws {
        let bench = try WindowsBench(), start = WindowsBench.start
        let operators = try Added("one", 1, ["62401"])
        try bench.router.engine.step([Added.block(1, [operators])], now: start)
        let phones = (1...3).map { Urgent(device: $0, receivedAt: start, event: .noService) }
        try bench.step([WindowsBench.block(1, phones)], now: start)
        func devices(_ tenant: AlertTenant) throws -> Int? {
            let message = try #require(bench.router.messages(of: tenant).first)
            let object = try JSONSerialization.jsonObject(with: Data(message.clear())) as? [String: Any]
            return object?["devices"] as? Int
        }
        #expect(try devices(.regulator) == 3)
        #expect(try devices(operators.tenant) == 1)
        #expect([4, 5, 9, 10, 49, 50].map(DeviceBand.begin) == [1, 5, 5, 10, 20, 50])
    }

    @Test func `what the windows keep is declared`() throws {
        let bench = try WindowsBench()
        #expect(try bench.database.read { try WindowsEffects.tables.faults(in: $0) } == [])
    }

    @Test func `no rule runs under a name of the router's own alarms`() throws {
        let own =
            [AlarmKey.urgent, AlarmFlood.rule] + AlarmProblem.own.map(\.rule) + SensorAlarm.allCases.map(\.rule)
        #expect(Set(own) == AlarmRule.reservedNames)
        let rules = RuleSet(.qoe, stored: own.map { ($0, Array(BuiltIn.noService.utf8)) })
        #expect(rules.refusals.map(\.id) == own && !rules.rules.contains { own.contains($0.id) })
    }

    @Test func `bytes of windows are those of the last look at them, and a tick that had nothing to do says so`() throws
    {
        let bench = try WindowsBench(), start = WindowsBench.start
        let phones = (1...40).map { Urgent(device: $0, receivedAt: start, event: .noService) }
        let engine = try EffectEngine(
            database: bench.database,
            reads: WindowsEffects.subscriptions(.qoe).filter { $0.lane != .privacy }, journals: [],
            effects: bench.windows)
        #expect(try !engine.step([WindowsBench.block(1, phones)], now: start).didTick)
        try bench.complete(to: start + 600_000)
        let measured = bench.windows.engine.measuredBytes
        #expect(measured > 0 && measured == bench.windows.engine.byteCount)
        try bench.restart()
        #expect(bench.windows.engine.measuredBytes > 0)
    }
}
