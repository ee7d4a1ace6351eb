import Foundation
import GRDB
import Models
import Storage

/// Made-up statistics of a year in the exporter's file: cells of days, levels 6 to 16, of four networks.
///
/// Each place has the same number of rows on each day, by two phones of three; what they measured lies around a middle that is the
/// cell's own. Rows are as the exporter's ``CellStore`` writes them, without those of hours and 5 minutes, which nobody asks for.
struct YearCells {
    /// 62401 to 62404.
    static let scopes: [Int64] = [624_001, 624_002, 624_003, 624_004]
    /// LTE.
    private static let stratum: Int64 = 3
    /// `download_kbps` and `latency_ms`.
    private static let metrics: [UInt8] = [0, 2]
    /// Samples of a metric that are drawn one by one; more weigh accordingly.
    private static let drawn = 200

    /// Where local days begin, and where the last one ends; Unix seconds.
    let days: [Int64]
    let grid: CellGrid
    let reports: Int
    private var dice = SplitMix64(seed: 1)
    private var histograms = CellHistogramWriter()
    private var spreads = SpreadWriter()

    init(days: [Int64], grid: CellGrid, reports: Int) {
        (self.days, self.grid, self.reports) = (days, grid, reports)
    }

    /// Writes them into the file of an exporter that does not run.
    ///
    /// - Returns: how many reports they have, and how many cells these are.
    mutating func write(to path: String, say: (String) -> Void) throws -> (reports: Int, cells: Int) {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        let levels = levels()
        var counts = (reports: 0, cells: 0)
        for (number, day) in days.dropLast().enumerated() {
            if number % 30 == 0 { say("a year of cells: day \(number) of \(days.count - 1)") }
            try queue.write { db in
                let insert = try db.cachedStatement(
                    sql:
                        "INSERT INTO cells VALUES (\(Programme.qoeNumber), 2, ?, ?, ?, ?, \(Self.stratum), 1, ?, ?, ?, NULL, ?)"
                )
                for (level, places) in levels {
                    let rows = max(3, reports / (days.count - 1) / Self.scopes.count / places.count)
                    for place in places {
                        for scope in Self.scopes {
                            make(rows: rows, devices: rows * 2 / 3)
                            try insert.execute(arguments: [
                                day, level, Int64(place), scope, rows, rows * 2 / 3, Data(histograms.bytes),
                                Data(spreads.bytes),
                            ])
                            counts.cells += 1
                            if level == Quadkey.finestLevel { counts.reports += rows }
                        }
                    }
                }
            }
        }
        return counts
    }

    /// The places of each level, ascending.
    private func levels() -> [(Int, [UInt64])] {
        (Quadkey.coarsestLevel...Quadkey.finestLevel).map { level in
            let places = grid.middles.compactMap {
                Quadkey(latitude: $0.latitude, longitude: $0.longitude)?.parent(at: level).code
            }
            return (level, Set(places).sorted())
        }
    }

    /// The figures of a cell: a third of its phones has two rows, the others have one.
    private mutating func make(rows: Int, devices: Int) {
        let middle = Int32.random(in: 400...600, using: &dice), drawn = min(rows, Self.drawn)
        var entries: [UInt32: Int64] = [:]
        for metric in Self.metrics {
            for sample in 0..<drawn {
                let bin = middle + Int32.random(in: -30...30, using: &dice) + Int32.random(in: -30...30, using: &dice)
                let weight = rows / drawn + (sample < rows % drawn ? 1 : 0)
                entries[CellHistograms.Entry(metric: metric, bin: bin, count: 1).slot, default: 0] += Int64(weight)
            }
        }
        histograms.begin()
        for (slot, count) in entries.sorted(by: { $0.key < $1.key }) {
            histograms.append(CellHistograms.Entry(slot: slot, count: count))
        }
        spreads.begin()
        let twice = Int64(rows - devices), squares = Int64(devices) + 3 * twice
        guard devices <= DeviceSpread.mostApart else { return spreads.bound(largest: [2, 2, 2, 2], squares: squares) }
        for metric in Self.metrics {
            spreads.add(metric: metric, devices: Int64(devices), most: 2, squares: squares)
        }
    }
}
