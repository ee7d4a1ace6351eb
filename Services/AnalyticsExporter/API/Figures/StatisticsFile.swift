package import ExporterStores
package import ExporterSupport
package import Foundation
package import GRDB
package import Models
internal import ServiceKit

/// The lines of a file of statistics: the figures of each metric at each place, of a network's technologies and of all together.
///
/// Places are everywhere (what has no place counts, too), cells of level 12 and the finest ones. Only cells with values have lines.
package struct StatisticsFile: StatisticsLines {
    private static let columns = [
        "programme", "from", "to", "network", "technology", "level", "quadkey", "latitude", "longitude", "metric",
        "unit",
        "n", "devices", "devices_at_least", "effective_devices", "method", "state", "p10", "p50", "p90",
        "p50_low", "p50_high",
    ]
    /// Bytes of text that are handed over at once.
    private static let page = 65_536

    private let programmes: [Programme]
    private let zone: TimeZone

    /// - Parameter zone: in which days begin.
    package init(_ programmes: Programmes, zone: TimeZone) {
        self.programmes = HeatmapQuery.shown(programmes)
        self.zone = zone
    }

    package var names: [UInt8] { Array((Self.columns.joined(separator: ",") + "\r\n").utf8) }

    package func print(
        _ span: ExportSpan, for tenant: Tenant, _ db: Database, take: ([UInt8], Int) throws -> Bool
    ) throws -> Bool {
        let time = span.time(in: zone)
        let bucket = Bucket(seconds: span.period == .hour ? 3_600 : 86_400, start: time.lowerBound / 1_000)
        for programme in programmes {
            guard let cellScope = programme.cellScope else { continue }
            let cells = try StoredCells(
                db, of: programme, cellScope, networks: tenant.scope, withUnshared: tenant.isRegulator)
            var lines = StatisticsText(programme, time)
            try addEverywhere(cells, bucket, to: &lines)
            for level in Set([12, programme.finestLevel]).sorted() where level <= programme.finestLevel {
                guard try add(cells, bucket, level: level, to: &lines, take) else { return false }
            }
            guard try lines.count == 0 || take(lines.text, lines.count) else { return false }
        }
        return true
    }

    /// Each network, and each technology of it.
    private func addEverywhere(_ cells: StoredCells, _ bucket: Bucket, to lines: inout StatisticsText) throws {
        var sums: [Int64: [Int64: [MetricSum]]] = [:], all: [Int64: [MetricSum]] = [:]
        for (level, range) in [
            (0, 0...0), (Quadkey.coarsestLevel, 0...UInt64(1) << UInt64(2 * Quadkey.coarsestLevel) - 1),
        ] {
            var last: StoredCells.Place?
            try cells.forEach(of: bucket, level: level, in: range) { row, place in
                let isThere = try cells.withFigures(row, isOther: place == last) { cell in
                    lines.add(cell, to: &sums[place.scope, default: [:]][place.stratum, default: lines.none])
                        && lines.add(cell, to: &all[place.scope, default: lines.none])
                }
                if isThere { last = place }
            }
        }
        for (scope, strata) in sums.sorted(by: { $0.key < $1.key }) {
            lines.append(all[scope] ?? [], scope, stratum: nil, at: nil)
            guard lines.hasStrata else { continue }
            for (stratum, sum) in strata.sorted(by: { $0.key < $1.key }) {
                lines.append(sum, scope, stratum: stratum, at: nil)
            }
        }
    }

    /// The cells of a level, one by one.
    private func add(
        _ cells: StoredCells, _ bucket: Bucket, level: Int, to lines: inout StatisticsText,
        _ take: ([UInt8], Int) throws -> Bool
    ) throws -> Bool {
        var open: (place: StoredCells.Place, sums: [MetricSum])?, goesOn = true
        func close() throws {
            guard let done = open, goesOn else { return }
            let place = Quadkey(level: level, code: UInt64(done.place.code))
            lines.append(done.sums, done.place.scope, stratum: done.place.stratum, at: place)
            guard lines.text.count >= Self.page else { return }
            goesOn = try take(lines.text, lines.count)
            lines.clear()
        }
        try cells.forEach(of: bucket, level: level, in: 0...UInt64(1) << UInt64(2 * level) - 1) { row, place in
            guard goesOn else { return }
            let isOther = open?.place == place
            if !isOther {
                try close()
                open = (place, lines.none)
            }
            _ = try cells.withFigures(row, isOther: isOther) { lines.add($0, to: &open!.sums) }
        }
        try close()
        return goesOn
    }
}

/// Lines of one programme and bucket that wait to be written.
private struct StatisticsText {
    private(set) var text: [UInt8] = []
    private(set) var count = 0
    private let programme: Programme
    private let metrics: [ProgrammeMetric]
    /// The first columns, which are the same in all lines.
    private let head: [UInt8]

    init(_ programme: Programme, _ time: Range<UnixMilliseconds>) {
        self.programme = programme
        metrics = HeatmapQuery.metrics(of: programme)
        head = Array(
            "\(programme.name),\(SystemTime.text(time.lowerBound)),\(SystemTime.text(time.upperBound)),".utf8)
    }

    /// Whether cells are told apart by a stratum.
    var hasStrata: Bool { programme.strata != .one }
    /// Of no cells, a sum for each metric.
    var none: [MetricSum] { metrics.map { _ in MetricSum() } }

    /// False if it is not a cell.
    func add(_ cell: StoredCell, to sums: inout [MetricSum]) -> Bool {
        for place in metrics.indices {
            guard sums[place].add(cell, of: metrics[place].number) else { return false }
        }
        return true
    }

    mutating func clear() {
        text.removeAll(keepingCapacity: true)
        count = 0
    }

    /// - Parameters:
    ///   - sums: one for each metric.
    ///   - stratum: nil: all together.
    ///   - cell: nil: everywhere.
    mutating func append(_ sums: [MetricSum], _ scope: Int64, stratum: Int64?, at cell: Quadkey?) {
        for (metric, sum) in zip(metrics, sums) where sum.samples > 0 {
            text += head
            append(Self.name(of: scope, programme))
            append(stratum.map { programme.strata.name(UInt8(truncatingIfNeeded: $0)) } ?? "")
            append(cell.map { "\($0.level)" } ?? "")
            append(cell?.text ?? "")
            appendMiddle(of: cell)
            append(metric.name)
            append(sum.figures, metric)
            count += 1
        }
    }

    private static func name(of scope: Int64, _ programme: Programme) -> String {
        guard let cellScope = programme.cellScope, cellScope != .networks else {
            return FigureAnswer.name(of: PLMN(rawValue: scope))
        }
        return Scope(scheme: cellScope.scheme, number: scope).text
    }

    private mutating func append(_ figures: CellFigures, _ metric: ProgrammeMetric) {
        let field = programme.field(of: metric), scale = field?.scale ?? 1, values = MetricScale(metric, field)
        append(field?.unit ?? "")
        append(figures.samples)
        append(figures.devices)
        append(figures.devicesAtLeast)
        append(figures.effectiveDevices.map { Int64(($0 * 100).rounded(.down)) }, scale: 100)
        append(figures.method.rawValue)
        append(figures.state.rawValue)
        for permille in [100, 500, 900] {
            append(figures.quantile(permille: permille).map(values.value(of:)), scale: scale)
        }
        let ends = figures.interval(permille: 500).map(values.values(of:))
        append(ends?.lowerBound, scale: scale)
        append(ends?.upperBound, scale: scale)
        text.removeLast()
        text += [13, 10]
    }

    private mutating func appendMiddle(of cell: Quadkey?) {
        let bounds = cell?.bounds
        let middle = { (one: Double, other: Double) in Int64(((one + other) / 2 * 1e7).rounded()) }
        append(bounds.map { middle($0.south, $0.north) }, scale: 10_000_000)
        append(bounds.map { middle($0.west, $0.east) }, scale: 10_000_000)
    }

    private mutating func append(_ word: String) {
        text += word.utf8
        text.append(UInt8(ascii: ","))
    }

    /// What is not known is nothing.
    private mutating func append(_ value: Int64?, scale: Int64 = 1) {
        if let value { DecimalText.append(value, scale: scale, to: &text) }
        text.append(UInt8(ascii: ","))
    }
}
