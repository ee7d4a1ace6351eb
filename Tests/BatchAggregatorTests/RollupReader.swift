import Models
import QoE
import Wire

@testable import BatchAggregator

/// A reader of the lane `rollups`: the last word on each key, as dump lines.
struct RollupReader {
    private enum Word {
        case figures(samples: Int64, devices: Int64, CellHistograms, spreads: [UInt8])
        case source(CellKey)
    }

    private let text: CellLines
    private var words: [CellKey: Word] = [:]
    private var decoder = ColumnDecoder()

    static func lines(_ blocks: [Block], _ programmes: Programmes = .qoe) throws -> String {
        try read(blocks, programmes).lines
    }

    static func read(_ blocks: [Block], _ programmes: Programmes = .qoe) throws -> RollupReader {
        var reader = RollupReader(programmes)
        for block in blocks { reader.take(try block.columns(with: &reader.decoder)) }
        return reader
    }

    init(_ programmes: Programmes = .qoe) { text = CellLines(programmes) }

    /// Takes over the rows of a table.
    mutating func take(_ table: Columns) {
        for row in 0..<table.rowCount {
            let key = CellKey(bytes: table[ColumnID.key]!.value(row)!)!
            if let source = table[ColumnID.source]?.value(row) {
                words[key] = .source(CellKey(bytes: source)!)
                precondition(table[ColumnID.samples]?.integer(row) == nil)
            } else if table[ColumnID.samples]?.integer(row) == nil {
                words[key] = nil
            } else {
                words[key] = .figures(
                    samples: table[ColumnID.samples]!.integer(row)!, devices: table[ColumnID.devices]!.integer(row)!,
                    CellHistograms.decode(table[ColumnID.histograms]!.value(row)!)!,
                    spreads: table[ColumnID.spreads]?.value(row).map { Array($0) } ?? [])
            }
        }
    }

    /// The lines of all cells, those of references with the figures of their sources.
    var lines: String { words.keys.map { line($0) + "\n" }.sorted().joined() }

    /// How the samples of each cell with figures are spread over devices: a line for each metric, as ``NaiveStatistics/spreads``.
    var spreads: String {
        words.keys.flatMap { cell -> [String] in
            guard case .figures(let rows, let devices, let histograms, let bytes) = words[cell] else { return [] }
            let key = line(cell).split(separator: " ")[..<6].joined(separator: " ")
            return histograms.metrics.map { metric in
                let samples = histograms.bins(metric).reduce(0) { $0 + $1.count }
                let spread = bytes.withUnsafeBytes {
                    try! DeviceSpread($0, metric: metric, samples: samples, rows: rows, devices: devices)
                }
                return "\(key) \(Metric(rawValue: metric)!.name) \(spread.map(Self.text) ?? "?")\n"
            }
        }.sorted().joined()
    }

    private static func text(_ spread: DeviceSpread) -> String {
        let bins = spread.capped.map { $0.map { "\($0.bin):\($0.count)" }.joined(separator: ",") } ?? "-"
        let devices = spread.devices.map { "\($0)" } ?? "-"
        return "\(devices) \(spread.devicesAtLeast) \(spread.most) \(spread.sum) \(Int64(spread.squares)) \(bins)"
    }

    private func line(_ cell: CellKey) -> String {
        var word = words[cell]
        if case .source(let source) = word { word = words[source] }
        guard case .figures(let samples, let devices, let histograms, _) = word else { return "\(cell)?" }
        return text.line(cell, samples: samples, devices: Int(devices), histograms)
    }
}
