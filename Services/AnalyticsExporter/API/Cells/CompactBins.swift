internal import Models

/// What bins weigh or count, in no more memory than there are bins.
struct CompactBins {
    private var gathered: [(bin: Int32, weight: Int64)] = []
    /// With so many, those that are there several times are added up.
    private var most = 64

    /// - Parameter each: what one of an entry's count weighs.
    mutating func add(_ entries: [CellHistograms.Entry], each: Int64) {
        for entry in entries { gathered.append((entry.bin, entry.count &* each)) }
        compact()
    }

    mutating func add(_ entries: [(bin: Int32, weight: Int64)]) {
        gathered += entries
        compact()
    }

    private mutating func compact() {
        guard gathered.count >= most else { return }
        gathered = entries
        most = max(64, 2 * gathered.count)
    }

    /// Ascending by bin, each once.
    var entries: [(bin: Int32, weight: Int64)] {
        var kept: [(bin: Int32, weight: Int64)] = []
        for entry in gathered.sorted(by: { $0.bin < $1.bin }) {
            if kept.last?.bin == entry.bin {
                kept[kept.count - 1].weight &+= entry.weight
            } else {
                kept.append(entry)
            }
        }
        return kept
    }
}
