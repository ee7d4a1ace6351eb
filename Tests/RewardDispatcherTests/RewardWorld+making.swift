import Foundation
import Lanes
import Models
import SubjectRights
import Wire

@testable import RewardDispatcher

extension RewardWorld {
    /// Some feedback of a few devices, some of it not to be rewarded.
    static func rows(_ random: inout SplitMix64) -> [Given] {
        (0..<3 + random.below(6)).map { number in
            Given(
                device: 1 + random.below(3), seq: number + 1, receivedAt: RewardBench.start + number,
                isMocked: random.chance(percent: 10),
                flags: random.chance(percent: 10) ? RowFlags.notForRewards.rawValue : nil)
        }
    }

    /// Lanes on which each feedback comes five times, in blocks of their own, in any order, for twenty seconds.
    static func lanes(
        _ rows: [Given], _ random: inout SplitMix64
    ) throws -> [LaneName: [(at: UnixMilliseconds, block: LaneBlock)]] {
        var deliveries: [(at: UnixMilliseconds, lane: LaneName, row: Given)] = []
        for row in rows {
            for _ in 0..<5 {
                let lane: LaneName = random.chance(percent: 30) ? .realtime : .batch
                deliveries.append((RewardBench.start + random.below(20_000), lane, row))
            }
        }
        var lanes: [LaneName: [(at: UnixMilliseconds, block: LaneBlock)]] = [:]
        for (at, lane, row) in deliveries.sorted(by: { ($0.at, $0.row.seq) < ($1.at, $1.row.seq) }) {
            let number = UInt64(lanes[lane, default: []].count + 1)
            lanes[lane, default: []].append((at, try Given.block(number, [row], on: lane)))
        }
        return lanes
    }

    /// Orders to erase some of the devices, on a lane of their own; a request is named by its device. Rows of theirs are
    /// still on the other lanes, up to the barriers.
    static func order(
        _ rows: [Given], _ lanes: inout [LaneName: [(at: UnixMilliseconds, block: LaneBlock)]],
        _ random: inout SplitMix64
    ) throws -> Set<Int64> {
        let devices = Set(rows.map(\.device)).filter { _ in random.chance(percent: 60) }.sorted()
        let times = devices.map { _ in RewardBench.start + random.below(40_000) }.sorted()
        for (number, (device, at)) in zip(devices, times).enumerated() {
            let barriers = [LaneName.realtime, .batch].compactMap { lane in
                lanes[lane]?.last { $0.block.block.header.subjects.contains(UInt64(device)) }?.block.position
            }
            let block = try Given.order(UInt64(number + 1), device, barriers: barriers)
            lanes[.privacy, default: []].append((at, block))
        }
        return Set(devices)
    }
}
