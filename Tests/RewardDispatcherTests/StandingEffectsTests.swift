import Engagement
import Foundation
import GRDB
import Lanes
import Models
import Storage
import Testing
import Wire

@testable import RewardDispatcher

/// Where devices stand among those who agreed to be shown, as the dispatcher tells it.
struct StandingEffectsTests {
    /// 2025-06-15, a Sunday, at four in the afternoon in Douala.
    private let start = RewardBench.start
    private let day: UnixMilliseconds = 86_400_000

    private func name(_ bench: RewardBench, _ names: [(device: Int64, nickname: String?)]) throws {
        let documents = try names.map { Array(try JSONEncoder().encode(NicknameDocument(nickname: $0.nickname))) }
        let columns = Columns(
            rowCount: names.count,
            columns: [
                Column(id: ColumnID.device, values: names.map(\.device)),
                Column(id: ColumnID.document, strings: documents),
            ])
        try bench.take(
            Given.block(bench.nextNumber(on: .requests), .nickname, columns, on: .requests, at: start))
    }

    /// The last that was told of each device; those that are shown no more are not there.
    private func told(_ bench: RewardBench, at now: UnixMilliseconds) throws -> [UInt64: StandingDocument] {
        try bench.tick(now)
        var decoder = ColumnDecoder(), told: [UInt64: StandingDocument] = [:]
        let page = try Journal.read(
            lane: .rewards, from: bench.database.reader(), after: 0, kinds: [RecordKind.standing.id])
        for block in page.blocks {
            let columns = try block.columns(with: &decoder)
            for row in 0..<columns.rowCount {
                let key = String(decoding: try #require(columns[ColumnID.key]?.value(row)), as: UTF8.self)
                let text = columns[ColumnID.document]?.value(row).map { Data($0) }
                told[try #require(UInt64(key))] = try text.map {
                    try JSONDecoder().decode(StandingDocument.self, from: $0)
                }
            }
        }
        return told
    }

    private func ranks(_ told: [UInt64: StandingDocument], _ period: String) -> [UInt64: [Int64]] {
        told.compactMapValues { document in
            document.places.first { $0.period == period }.map { [$0.rank, $0.count, $0.score] }
        }
    }

    private func rows(_ counts: [Int64: Int], day: Int64 = 0, from seq: Int64 = 1) -> [Given] {
        counts.sorted { $0.key < $1.key }.flatMap { device, count in
            (0..<count).map {
                Given(
                    device: device, seq: seq + Int64($0), receivedAt: start,
                    capturedAt: start + day * 86_400_000)
            }
        }
    }

    @Test func `those who gave a name stand by what they did, and nobody else does`() throws {
        let bench = try RewardBench()
        try name(bench, [(1, "Ann"), (2, "Bob"), (3, "Cid"), (5, "Eve")])
        try bench.give(rows([1: 3, 2: 5, 3: 3, 4: 9]))
        let told = try told(bench, at: start + 60_000)
        #expect(ranks(told, "week") == [1: [2, 3, 3], 2: [1, 3, 5], 3: [2, 3, 3]])
        #expect(ranks(told, "month") == ranks(told, "week"))
        #expect(told[5]?.places == [] && told[5]?.nickname == "Eve" && told[4] == nil)
    }

    @Test func `a week has its own days, and late records count in theirs`() throws {
        let bench = try RewardBench()
        try name(bench, [(1, "Ann"), (2, "Bob")])
        // Monday of the week is six days before.
        try bench.give(rows([1: 2], day: -6) + rows([2: 1]))
        try bench.give(rows([2: 4], day: -7, from: 10))
        let told = try told(bench, at: start + 60_000)
        #expect(ranks(told, "week") == [1: [1, 2, 2], 2: [2, 2, 1]])
        #expect(ranks(told, "month") == [1: [2, 2, 2], 2: [1, 2, 5]])
        // With the next week another begins.
        let next = try self.told(bench, at: start + day)
        #expect(ranks(next, "week").isEmpty && ranks(next, "month") == ranks(told, "month"))
    }

    @Test func `who withdraws the name, or is erased, is nowhere, and who was second is first`() throws {
        let bench = try RewardBench()
        try name(bench, [(1, "Ann"), (2, "Bob"), (3, "Cid")])
        try bench.give(rows([1: 3, 2: 2, 3: 1]))
        _ = try told(bench, at: start + 60_000)
        try name(bench, [(1, nil)])
        #expect(ranks(try told(bench, at: start + 120_000), "week") == [2: [1, 2, 2], 3: [2, 2, 1]])
        try bench.erase(2, at: start + 130_000)
        let left = try told(bench, at: start + 200_000)
        #expect(ranks(left, "week") == [3: [1, 1, 1]] && left[1] == nil && left[2] == nil)
        #expect(try bench.number("SELECT count(*) FROM nicknames") == 1)
        #expect(try bench.number("SELECT count(*) FROM standings_told") == 1)
    }

    @Test func `what has not changed is not told again, and a restart tells nothing twice`() throws {
        let bench = try RewardBench()
        try name(bench, [(1, "Ann"), (2, "Bob")])
        try bench.give(rows([1: 3, 2: 2]))
        _ = try told(bench, at: start + 60_000)
        try bench.restart()
        try bench.tick(start + 60_001)
        try bench.give(rows([2: 2], from: 50), at: start + 61_000)
        try bench.tick(start + 62_000)
        #expect(
            try (bench.told(.standing) as [StandingDocument]).map(\.device) == [1, 2], "not before the pause is over")
        try bench.tick(start + 200_000)
        let told: [StandingDocument] = try bench.told(.standing)
        #expect(told.map(\.device) == [1, 2, 1, 2])
    }

    @Test func `a name that is none is left out, and counted`() throws {
        let bench = try RewardBench()
        try name(bench, [(1, "x"), (2, "+237670000001"), (3, "Ann"), (4, "670 00 00 01")])
        try bench.tick(start)
        #expect(try bench.number("SELECT count(*) FROM nicknames") == 1)
        #expect(bench.reports.map(\.unreadableNicknames).reduce(0, +) == 3)
    }

    @Test(arguments: ["Ann", "Zoé-2", "a.b", "Ngozi 1999", "éà", "9876 abc 12345"])
    func `a name that people would choose is taken`(name: String) { #expect(NicknameDocument.isNickname(name)) }

    @Test(arguments: [
        "", "a", " Ann", "Ann ", "A\nn", "<b>x</b>", "6700 000 1", "1234567", "aaaaaaaaaaaaaaaaaaaaaaaaa", "🙂🙂",
    ])
    func `what is none is not taken`(name: String) { #expect(!NicknameDocument.isNickname(name)) }
}
