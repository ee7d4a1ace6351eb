import AggregatorCells
import AggregatorDeriving
import AggregatorFolding
import Models
import Releases
import Storage
import Wire

/// Makes the releases of a period from the open rows of its day, slice by slice, in memory that is bounded.
///
///     pass 1   all blocks of the day ─▶ ReleaseRows: the first rows in order ─▶ ReleaseMerge ─▶ ReleaseCounter ─▶ releases
///     pass 2   all blocks again      ─▶ the rows after those                 ─▶ …
///
/// Only blocks that were there at the beginning count. If rows go meanwhile, the job is to be given up. Confined to one thread.
final class ReleaseJob {
    enum Outcome {
        case goesOn
        case finished(ReleaseSeries, AtomList)
        /// Nothing is left to do.
        case done
    }

    /// Blocks that one slice decodes, rows that one counts.
    private static let blocks = 8, rows = 32_768
    /// Most releases of a job: more networks than there are in the world.
    private static let mostReleases = 0xffff

    let period: ReleasePeriod
    private let trust: TrustPolicy
    private let counting: CountingRules
    private let threads: TwoThreads<OpenRowMaker>
    private let classOf: (UInt32) -> ReleaseClass
    private let ends: [BlockRange]
    private let limit: Int
    private var after = BlockKey.none
    private var rows: ReleaseRows
    private var merge: ReleaseMerge?
    private var counter: ReleaseCounter
    private let series: SeriesList
    /// Those of the row that is added.
    private var bins: [UInt16] = []
    /// What became of rows, counted in the first pass.
    private(set) var left = LeftRows()
    private var isFirstPass = true
    /// No rows are left; the last release is still to be handed over.
    private var isOver = false

    /// - Parameters:
    ///   - ends: how far the day's blocks go that count.
    ///   - limit: bytes of rows in memory.
    ///   - classOf: the class of a device on this day.
    init(
        _ period: ReleasePeriod, _ settings: ReleaseSettings, _ counting: CountingRules,
        _ threads: TwoThreads<OpenRowMaker>, ends: [BlockRange], limit: Int, classOf: @escaping (UInt32) -> ReleaseClass
    ) {
        self.period = period
        trust = settings.trust
        self.counting = counting
        self.threads = threads
        self.ends = ends
        self.limit = limit
        self.classOf = classOf
        rows = ReleaseRows(from: 0, limit: limit)
        let series = SeriesList()
        self.series = series
        let programmes = Dictionary(uniqueKeysWithValues: counting.programmes.all.map { ($0.number, $0) })
        counter = ReleaseCounter(settings.rules) { number in
            (programmes[series.all[number].programme]?.metrics ?? []).map { $0.isOrdered ? $0 : nil }
        }
    }

    /// Samples in atoms by level, and those withheld, so far.
    var samples: (released: [Int64], withheld: Int64) { (counter.released, counter.withheld) }

    /// - Parameter file: the day's.
    func slice(_ file: ServiceDatabase) throws -> Outcome {
        if isOver { return .done }
        return merge == nil ? try read(file) : count()
    }

    private func read(_ file: ServiceDatabase) throws -> Outcome {
        let stored = try file.read { try OpenRowFile.next(after: after, limit: Self.blocks, $0) }
        if let last = stored.last?.key { after = last }
        let wanted = stored.filter { block in ends.contains { $0.contains(block.key) } }.map(\.rows)
        for table in try threads.map(wanted, { try $0.table(of: $1) }) { try add(table) }
        guard stored.count < Self.blocks else { return .goesOn }
        rows.finish()
        merge = ReleaseMerge(rows)
        (after, isFirstPass) = (.none, false)
        return .goesOn
    }

    private func count() -> Outcome {
        var finished: ReleaseCounter.Finished?, taken = 0
        while finished == nil, taken < Self.rows {
            if taken & 255 == 0 { IdleTurn.giveWay() }
            taken += 1
            guard merge?.next({ finished = counter.add($0, $1) }) ?? false else { return passEnded() }
        }
        return finished.map(outcome) ?? .goesOn
    }

    private func passEnded() -> Outcome {
        merge = nil
        if let end = rows.end {
            rows = ReleaseRows(from: end, limit: limit)
            return .goesOn
        }
        isOver = true
        return counter.finish().map(outcome) ?? .done
    }

    private func outcome(_ finished: ReleaseCounter.Finished) -> Outcome {
        .finished(series.all[finished.release], finished.atoms)
    }

    private func add(_ table: Columns) throws {
        guard table.rowCount > 0 else { return }
        let columns = try OpenRowColumns(table), kind = try counting.kind(columns.kind)
        // Releases are of networks.
        guard kind.scope == .networks else { return }
        let metrics = kind.metrics.compactMap { metric in table[metric.column].map { (metric: metric, column: $0) } }
        for row in 0..<table.rowCount {
            if row & 255 == 0 { IdleTurn.giveWay() }
            guard let place = try place(columns, row), try isReleasable(columns, row) else { continue }
            let spot = Spot(
                kind: place.kind, hour: place.hour, stratum: place.stratum, device: place.device,
                cell: Carry.order(of: columns.cell(row)), programme: kind.programme)
            guard let sim = columns.simScope(row) else {
                try add(row, metrics, spot, columns.scope(row)) { _ in true }
                continue
            }
            try add(row, metrics, spot, columns.scope(row)) { !$0 }
            try add(row, metrics, spot, sim) { $0 }
        }
    }

    /// Where a row counts.
    private struct Spot {
        let kind: ReleaseClass
        let hour, stratum: Int64
        let device: UInt32
        let cell: UInt64
        let programme: UInt8
    }

    /// Adds the metrics wanted of a row: those of the SIM's network, the others, or all.
    private func add(
        _ row: Int, _ metrics: [(metric: CountedMetric, column: Column)], _ spot: Spot, _ scope: Int64,
        _ wants: (_ isOfSIM: Bool) -> Bool
    ) throws {
        bins.removeAll(keepingCapacity: true)
        for (metric, column) in metrics where column.presence[row] && wants(metric.isOfSIM) {
            guard let code = SlotCode.code(metric.place, bin: column.integers[row]) else {
                throw AggregatorError.openRowsCorrupt("bin \(column.integers[row]) of metric \(metric.number)")
            }
            bins.append(code)
        }
        guard !bins.isEmpty else { return }
        let series = ReleaseSeries(kind: spot.kind, programme: spot.programme, scope: scope)
        guard scope != 0, let number = self.series.number(series, most: Self.mostReleases) else {
            if isFirstPass { left.unknownNetwork += 1 }
            return
        }
        let key = ReleaseRows.key(
            release: number, hour: spot.hour, stratum: spot.stratum, place: spot.cell, device: spot.device)
        bins.withUnsafeBufferPointer { rows.add(key, bins: $0) }
    }

    private func isReleasable(_ columns: OpenRowColumns, _ row: Int) throws -> Bool {
        let flags = columns.flags(row)
        guard columns.saysWhoShares, flags.isDisjoint(with: [.notForOperators, .notForResearch]) else {
            if isFirstPass { left.noConsent += 1 }
            return false
        }
        guard trust.counts(flags) else {
            if isFirstPass { left.notTrusted += 1 }
            return false
        }
        return true
    }

    /// In which class a row counts, and where; nil if it is none of the period's.
    private func place(
        _ columns: OpenRowColumns, _ row: Int
    ) throws -> (kind: ReleaseClass, hour: Int64, stratum: Int64, device: UInt32)? {
        let second = columns.capturedAt(row) / 1_000
        guard period.seconds.contains(second) else { return nil }
        let device = try columns.device(row), kind = classOf(device)
        guard period.classes.contains(kind) else { return nil }
        return kind == .technology
            ? (kind, (second - period.day) / 3_600, columns.stratum(row), device) : (kind, 0, 0, device)
    }
}

/// Rows of a period and its classes that are in no release, whatever comes with them.
package struct LeftRows: Equatable {
    /// Their subscribers do not share with operators, or do not allow research.
    package var noConsent = 0
    /// Their devices are not trusted.
    package var notTrusted = 0
    /// Their network is not known.
    package var unknownNetwork = 0

    package init() {}

    package static func += (left: inout Self, right: Self) {
        left.noConsent += right.noConsent
        left.notTrusted += right.notTrusted
        left.unknownNetwork += right.unknownNetwork
    }
}

/// The releases of a job, numbered as they are met.
final class SeriesList {
    private(set) var all: [ReleaseSeries] = []
    private var numbers: [ReleaseSeries: UInt16] = [:]
    private static let few = 12

    func number(_ series: ReleaseSeries, most: Int) -> UInt16? {
        // Mostly there are few of them.
        if let place = all.prefix(Self.few).firstIndex(of: series) { return UInt16(place) }
        if let number = numbers[series] { return number }
        guard all.count < most else { return nil }
        numbers[series] = UInt16(all.count)
        all.append(series)
        return UInt16(all.count - 1)
    }
}
