import AggregatorDeriving
import Foundation
import Lanes
import Models
import QoE
import Testing
import Wire

@testable import AggregatorFolding

/// What two threads make is what one would make.
@Suite struct TwoThreadsTests {
    private func blocks(_ world: AggregatorWorld, _ count: Int, _ dice: inout SplitMix64) throws -> [LaneBlock] {
        try (0..<count).map { _ in
            let rows = (0..<Int.random(in: 1...60, using: &dice)).map { _ in AcceptedRow.random(&dice) }
            return try world.block(rows, lane: dice.pick([.batch, .realtime]), kind: dice.pick([.report, .feedback]))
        }
    }

    private func text(_ rows: [OpenRowMaker.Rows]) -> [String] {
        rows.map { $0.map { "\($0.day) \($0.block)" }.joined(separator: "\n") }
    }

    @Test func `in their order, however many come together`() throws {
        var dice = SplitMix64(seed: 1)
        let world = try AggregatorWorld(), threads = TwoThreads("open rows") { OpenRowMaker(.qoe, timeZone: .gmt) }
        var maker = OpenRowMaker(.qoe, timeZone: .gmt)
        for count in [1, 3, 4, 80, 0, 5, 40, 2, 200] {
            let blocks = try blocks(world, count, &dice)
            let rows = try threads.map(blocks) { try $0.rows(of: $1) }
            #expect(rows.count == count)
            #expect(try text(rows) == text(blocks.map { try maker.rows(of: $0) }))
        }
    }

    @Test func `what was begun is finished, also when nobody has taken what came before`() throws {
        var dice = SplitMix64(seed: 3)
        let world = try AggregatorWorld(), threads = TwoThreads("open rows") { OpenRowMaker(.qoe, timeZone: .gmt) }
        var maker = OpenRowMaker(.qoe, timeZone: .gmt)
        for count in [6, 0, 30, 2, 8] {
            let left = try blocks(world, 5, &dice), blocks = try blocks(world, count, &dice)
            _ = threads.begin(left) { try $0.rows(of: $1) }
            let round = threads.begin(blocks) { try $0.rows(of: $1) }
            #expect(try text(threads.finish(round)) == text(blocks.map { try maker.rows(of: $0) }))
        }
    }

    @Test func `a damaged block is an error, and the next ones are not`() throws {
        var dice = SplitMix64(seed: 2)
        let world = try AggregatorWorld(), threads = TwoThreads("open rows") { OpenRowMaker(.qoe, timeZone: .gmt) }
        for _ in 0..<20 {
            let sound = try blocks(world, 12, &dice)
            var damaged = sound
            damaged[Int.random(in: 0..<12, using: &dice)].block.payload[3] ^= 1
            #expect(throws: WireError.self) { try threads.map(damaged) { try $0.rows(of: $1) } }
            #expect(try threads.map(sound, { try $0.rows(of: $1) }).count == 12)
        }
    }
}
