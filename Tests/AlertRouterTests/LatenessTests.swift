import Lanes
import Models
import SubjectRights
import Testing
import Wire

@testable import AlertRouter

@Suite
struct LatenessTests {
    private let start: UnixMilliseconds = 1_750_000_000_000

    private func order(
        _ number: UInt64, _ request: String, due: UnixMilliseconds, _ state: ErasureOrderDocument.State = .inProgress
    ) throws -> LaneBlock {
        let subject = ErasureSubjectDocument(request: request, subject: "ab", scope: .everything, barriers: [])
        let request = ErasureRequestDocument(subject: subject, requestedAt: start, dueAt: due, source: .device)
        let document = ErasureOrderDocument(request, state: state)
        return try LaneBlock(.privacy, number, .erasureOrder, .documents([(document.request, document)]), subjects: [])
    }

    private func last(_ bench: RouterBench) throws -> String {
        let body = try #require(bench.messages.last).body
        return String(decoding: try Inflater.inflate(body, format: .zlib, limit: 10_000), as: UTF8.self)
    }

    @Test
    func `an erasure that is not completed in time raises one alarm, when its time is over and not before`() throws {
        let bench = try RouterBench()
        try bench.engine.step([order(1, "a", due: start + 1_000)], now: start)
        try bench.engine.step([], now: start + 1_000)
        #expect(bench.messages.isEmpty)
        #expect(bench.engine.effects.nextTick == start + 1_001)
        try bench.engine.step([], now: start + 1_001)
        #expect(bench.messages.map(\.topic) == ["alerts/unknown/major/"])
        #expect(try last(bench).contains("\"rule\":\"erasure.late\",\"cell\":\"\",\"devices\":0,\"records\":1"))
        try bench.engine.step([], now: start + 5_000)
        #expect(bench.messages.count == 1)
    }

    @Test
    func `one alarm says how many are late, and is cleared under the old topic and the new when none is left`() throws {
        let bench = try RouterBench()
        try bench.engine.step([order(1, "a", due: start), order(2, "b", due: start + 1)], now: start)
        try bench.engine.step([], now: start + 1)
        try bench.engine.step([], now: start + 2)
        #expect(try last(bench).contains("\"records\":2"))
        try bench.engine.step([order(3, "a", due: start, .completed)], now: start + 3)
        try bench.engine.step([], now: start + 3)
        #expect(try last(bench).contains("\"records\":1"))
        try bench.engine.step([order(4, "b", due: start, .completed)], now: start + 4)
        try bench.engine.step([], now: start + 4)
        #expect(
            bench.messages.map(\.topic) == [
                "alerts/unknown/major/", "alerts/unknown/major/", "alerts/unknown/major/", "alerts/unknown/major/",
                "alerts/unknown/cleared/",
            ])
        #expect(try last(bench).contains("\"state\":\"cleared\""))
        #expect(try last(bench).contains("\"alarmClearedTime\":\"2025-06-15T15:06:40.004Z\""))
    }

    @Test
    func `one that is completed in time raises nothing`() throws {
        let bench = try RouterBench()
        try bench.engine.step([order(1, "a", due: start + 10)], now: start)
        try bench.engine.step([order(2, "a", due: start + 10, .completed)], now: start + 5)
        try bench.engine.step([], now: start + 1_000)
        #expect(bench.messages.isEmpty)
    }

    @Test
    func `after one that is over there is a new alarm, and the old one stays as it was told last`() throws {
        let bench = try RouterBench()
        for (number, request) in zip([UInt64(1), 3], ["a", "b"]) {
            let now = start + UnixMilliseconds(number) * 1_000
            try bench.engine.step([order(number, request, due: now - 1)], now: now)
            try bench.engine.step([], now: now)
            try bench.engine.step([order(number + 1, request, due: now - 1, .completed)], now: now + 10)
            try bench.engine.step([], now: now + 10)
        }
        #expect(try bench.number("SELECT count(*) FROM alarms") == 2)
        #expect(bench.messages.count == 6)
        #expect(try bench.number("SELECT count(*) FROM alert_latest WHERE tenant = 0") == 2)
        #expect(try last(bench).contains("\"id\":\"erasures-\(start + 3_000)\""))
    }

    private func float(_ number: UInt64, low: Bool, unfunded: Bool = false) throws -> LaneBlock {
        let document = ProviderStateDocument(
            provider: "momo", floatXAF: nil, lowFloatXAF: 50_000, isLow: low, isUnfunded: unfunded, isSilent: false,
            since: start)
        return try LaneBlock(.rewards, number, .providerState, .documents([("current", document)]), subjects: [])
    }

    @Test
    func `little or nothing left to pay rewards from is one alarm until there is enough again`() throws {
        let bench = try RouterBench()
        let states = [(false, false), (true, false), (true, true), (false, true), (false, false), (true, false)]
        for (step, (low, unfunded)) in states.enumerated() {
            try bench.engine.step([float(UInt64(step + 1), low: low, unfunded: unfunded)], now: start + Int64(step))
        }
        #expect(
            bench.messages.map(\.topic) == [
                "alerts/unknown/major/", "alerts/unknown/major/", "alerts/unknown/cleared/", "alerts/unknown/major/",
            ])
        #expect(try last(bench).contains("\"rule\":\"rewards.float\""))
        #expect(try last(bench).contains("\"id\":\"rewards-\(start + 5)\""))
    }
}
