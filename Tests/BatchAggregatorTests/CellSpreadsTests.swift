import AggregatorFolding
import Foundation
import GRDB
import Models
import QoE
import Seeds
import Storage
import Testing

@testable import AggregatorCells
@testable import BatchAggregator

/// How the samples of cells are spread over devices.
@Suite struct CellSpreadsTests {
    /// Rows of so many devices in few places, of which some send far more than others.
    static func crowd(_ count: Int, devices: Int64, _ dice: inout SplitMix64) -> [AcceptedRow] {
        (0..<count).map { _ in
            var row = NearbyRows.random(&dice)
            row[ColumnID.device] =
                dice.chance(percent: 30) ? dice.pick([1, 2, 3]) : .random(in: 1...devices, using: &dice)
            row[ColumnID.download] = dice.chance(percent: 50) ? .random(in: 0...2_000, using: &dice) : nil
            row[ColumnID.rsrp] = -.random(in: 700...1_100, using: &dice)
            return row
        }
    }

    /// The lines of cells that have figures of their own.
    private func expect(_ found: String, of rows: [AcceptedRow], _ comment: Comment) {
        let expected = NaiveStatistics.spreads(rows)
        let lines = found.split(separator: "\n")
        #expect(lines.count > 20, comment)
        for line in lines {
            let words = line.split(separator: " "), key = words[..<7].joined(separator: " ")
            #expect(words[7...].joined(separator: " ") == expected[key], "\(key), \(comment)")
        }
    }

    @Test(arguments: 0..<UInt64(Seeds.share(of: 12))) func `what is published is counted from the rows, in any order`(
        seed: UInt64
    ) throws {
        var dice = SplitMix64(seed: seed)
        // Of 900 there are hundreds in a cell, whose rows lie at the places of their numbers.
        let devices = seed == 0 ? 900 : dice.pick([6, 12, 24, 28, 150])
        let rows = Self.crowd(devices == 900 ? 1_500 : 400, devices: Int64(devices), &dice)
        let bench = try CellBench(bytes: dice.pick([2_000, 512 << 10]))
        var rest = rows.shuffled(using: &dice)
        while !rest.isEmpty {
            let some = Array(rest.prefix(dice.pick(devices == 900 ? [20, 700] : [1, 20, 150])))
            rest.removeFirst(some.count)
            try bench.fold(some, parts: dice.pick([1, 3]), cuts: true, &dice)
        }
        expect(bench.spreads, of: rows, "\(devices) devices")
        #expect(try bench.dump() == NaiveStatistics.dump(rows))
    }

    /// The bytes follow from the counts alone.
    @Test(arguments: 0..<20) func `rows that came and went leave the devices as they were`(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        func counts(_ devices: Int) -> DeviceCounts {
            var entries: [DeviceCounts.Entry] = []
            for device in Set((0..<devices).map { _ in UInt32.random(in: 0...400, using: &dice) }).sorted() {
                var rows: Int64 = dice.pick([0, 0, 0, 0, 250, 66_000]), bins: [CellHistograms.Entry] = []
                for _ in 0..<dice.pick([1, 1, 3]) {
                    rows += 1
                    for metric in UInt8(0)..<10 where dice.chance(percent: 60) {
                        bins.append(.init(metric: metric, bin: dice.pick([-512, -95, 0, 3, 700, 1_216]), count: 1))
                    }
                }
                entries.append(.init(device: device, slot: 0, count: rows))
                entries += CellHistograms(bins).entries.map { .init(device: device, slot: $0.slot, count: $0.count) }
            }
            return DeviceCounts(entries, areApart: true)
        }
        func sum(_ counts: DeviceCounts) -> CellSum {
            var sum = CellSum()
            sum.devices = counts
            sum.samples = counts.entries.reduce(0) { $0 + ($1.isOfRows ? $1.count : 0) }
            sum.entries =
                CellHistograms(
                    counts.entries.filter { !$0.isOfRows }.map { CellHistograms.Entry(slot: $0.slot, count: $0.count) }
                ).entries
            return sum
        }
        func stored(_ devices: CellDevices, _ sums: [CellSum], _ body: (StoredFigures.Lent) -> Bool) -> Bool {
            let histograms = CellHistograms(sums.flatMap(\.entries)).encoded()
            return devices.bytes.withUnsafeBytes { devices in
                histograms.withUnsafeBytes {
                    body(.init(samples: sums.reduce(0) { $0 + $1.samples }, devices: devices, histograms: $0))
                }
            }
        }
        // Listed or at the places of their numbers; or so few that they are kept apart, as they would not be again after a crowd.
        let isCrowd = dice.chance(percent: 30)
        let first = sum(counts(dice.pick(isCrowd ? [300, 700] : [1, 2, 12])))
        let second = sum(counts(dice.pick(isCrowd ? [1, 700] : [1, 5, 18])))
        var one = CellDevices(), both = CellDevices(), less = CellDevices(), other = CellDevices(),
            turned = CellDevices()
        #expect(stored(one, []) { one.add(first, to: $0) } && one.bytes.count > 0)
        let single = one
        #expect(stored(single, [first]) { both.add(second, to: $0) })
        #expect(stored(both, [first, second]) { less.subtract(second, gone: [], from: $0) })
        #expect(less.bytes == single.bytes && less.spreads == single.spreads && less.count == single.count)
        #expect(stored(CellDevices(), []) { other.add(second, to: $0) })
        #expect(stored(other, [second]) { turned.add(first, to: $0) })
        #expect(turned.bytes == both.bytes && turned.spreads == both.spreads)
        #expect(
            !stored(single, [first]) { less.subtract(both.count > 1 ? sum(counts(400)) : second, gone: [], from: $0) })
    }

    @Test(
        arguments: [
            [9], [2, 0], [2, 1, 0], [3, 5, 1, 9, 1], [4], [4, 1, 1], [3, 1, 1, 1, 1], [3, 1, 1, 1, 6, 0x80],
            [5], [5, 1], [5, 1, 0], [5, 3, 0, 1, 1, 1], [5, 2, 0, 1], [5, 1, 0x80],
            [5, 2, 255, 255, 255, 255, 15, 1, 0, 1, 0],
        ] as [[UInt8]])
    func `bytes that are no devices are refused`(bytes: [UInt8]) {
        var devices = CellDevices()
        let histograms = CellHistograms().encoded()
        let isTaken = bytes.withUnsafeBytes { bytes in
            histograms.withUnsafeBytes { devices.read(.init(samples: 3, devices: bytes, histograms: $0)) }
        }
        #expect(!isTaken)
    }

    /// So many devices go that what each of the others contributed is told again: it is counted from the rows of the day.
    @Test(arguments: [1, 3, 50]) func `devices that an erasure leaves are counted anew`(searched: Int) throws {
        let world = try AggregatorWorld()
        world.bounds = .init(searched: searched, decoded: 2, rows: 400)
        world.kill()
        try world.start()
        var dice = SplitMix64(seed: 4)
        let rows = Self.crowd(700, devices: 130, &dice)
        for part in 0..<7 { try world.step([try world.block(Array(rows[(part * 100)..<(part * 100 + 100)]))]) }
        try world.settle()
        let gone = (21...130).map(Int64.init)
        for (place, device) in gone.enumerated() {
            try world.step([try world.order("r\(place)", of: UInt64(device))])
            if place == 60 {
                try world.settleAll()
                world.kill()
                try world.start()
            }
        }
        try world.settleAll()
        let left = rows.filter { !gone.contains($0[ColumnID.device]!) }
        #expect(try world.dump() == NaiveStatistics.dump(left))
        expect(try world.publishedSpreads(), of: left, "after the erasure")
        #expect(try world.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM uncounted_cells") } == 0)
    }
}
