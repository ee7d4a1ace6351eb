import Models
import Statistics

/// Works out how the samples of a cell are spread over its devices, metric by metric, and what they weigh where one has more than a
/// fifth (``DeviceCap``). Keeps its memory.
struct CellSpreads {
    private var writer = SpreadWriter()
    /// Of the metrics with samples, ascending: the samples of each device that has some.
    private var samples = [[Int64]](repeating: [], count: 256)
    /// The metrics with samples.
    private var metrics: [UInt8] = []
    private var weights: [CellHistograms.Entry] = []

    /// As ``DeviceSpread`` draws it; empty where it follows from the numbers of devices and rows, or is not known.
    var bytes: [UInt8] { writer.bytes }

    /// Nothing is known.
    mutating func clear() { writer.begin() }

    /// - Parameter rows: of the cell.
    mutating func tell(_ counts: DeviceCounts, samples rows: Int64) {
        writer.begin()
        if counts.count <= 1 || counts.count == rows { return }
        guard counts.areApart, counts.count <= DeviceSpread.mostApart else { return tellBound(counts) }
        gather(counts)
        for metric in metrics.sorted() { tell(metric, counts) }
        forget()
    }

    /// Counts what each device has of each metric.
    private mutating func gather(_ counts: DeviceCounts) {
        for metric in metrics { samples[Int(metric)].removeAll(keepingCapacity: true) }
        metrics.removeAll(keepingCapacity: true)
        // Metric and device of the entry before; no device has 2³² as its number.
        var last: UInt64 = .max
        for entry in counts.entries where !entry.isOfRows {
            let metric = Int(entry.slot >> 24), name = entry.key >> 24
            if samples[metric].isEmpty { metrics.append(UInt8(metric)) }
            if name == last {
                samples[metric][samples[metric].count - 1] += entry.count
            } else {
                samples[metric].append(entry.count)
            }
            last = name
        }
    }

    private mutating func forget() {
        for metric in metrics { samples[Int(metric)].removeAll(keepingCapacity: true) }
        metrics.removeAll(keepingCapacity: true)
    }

    private mutating func tell(_ metric: UInt8, _ counts: DeviceCounts) {
        let samples = self.samples[Int(metric)]
        var sum: Int64 = 0, most: Int64 = 0, squares: Int64 = 0
        for count in samples {
            sum += count
            most = max(most, count)
            squares &+= count &* count
        }
        // Nobody has more than a fifth, or nobody can be kept from it.
        guard most > sum / Int64(DeviceCap.devices), let threshold = DeviceCap.threshold(samples) else {
            return writer.add(metric: metric, devices: Int64(samples.count), most: most, squares: squares)
        }
        (sum, squares) = (0, 0)
        for count in samples {
            let count = min(count, threshold)
            sum += count
            squares &+= count &* count
        }
        weigh(metric, counts, threshold)
        writer.add(
            metric: metric, devices: Int64(samples.count), threshold: threshold, sum: sum, squares: squares,
            bins: weights)
    }

    /// What the samples of a metric's bins weigh, to ``weights``.
    private mutating func weigh(_ metric: UInt8, _ counts: DeviceCounts, _ threshold: Int64) {
        weights.removeAll(keepingCapacity: true)
        var device = 0, last: UInt32?
        for entry in counts.entries where !entry.isOfRows && UInt8(entry.slot >> 24) == metric {
            if let last, entry.device != last { device += 1 }
            last = entry.device
            let weight = DeviceCap.weight(count: samples[Int(metric)][device], threshold: threshold)
            weights.append(CellHistograms.Entry(slot: entry.slot, count: entry.count * weight))
        }
        CellHistograms.addUp(&weights)
    }

    /// What follows from how many rows the devices have.
    private mutating func tellBound(_ counts: DeviceCounts) {
        var largest = [Int64](repeating: 0, count: 4), squares: Int64 = 0
        for entry in counts.entries where entry.isOfRows {
            squares &+= entry.count &* entry.count
            guard entry.count > largest[3] else { continue }
            var place = 3
            while place > 0, largest[place - 1] < entry.count {
                largest[place] = largest[place - 1]
                place -= 1
            }
            largest[place] = entry.count
        }
        writer.bound(largest: largest, squares: squares)
    }

    /// - Parameter rows: of the cell.
    mutating func tell(_ dense: DenseCounts, samples rows: Int64) {
        writer.begin()
        if dense.count == rows { return }
        writer.bound(largest: dense.largest.map { Int64($0) }, squares: dense.squares)
    }
}
