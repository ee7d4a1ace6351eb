internal import Models

/// How often what happened in stored cells, while they are added up.
struct EventCounts: CellAdding {
    private var bins = CompactBins()
    /// Devices that sent any row, with or without an event.
    private(set) var senders = Senders()

    init() {}

    mutating func add(_ cell: StoredCell, of metric: UInt8) -> Bool {
        senders.add(cell.devices, isOther: cell.isOther)
        guard var reader = CellHistogramReader(cell.histograms) else { return false }
        var found: [CellHistograms.Entry] = []
        while let entry = reader.next(), entry.metric <= metric {
            if entry.metric == metric { found.append(entry) }
        }
        bins.add(found, each: 1)
        return reader.isSound
    }

    /// How many there are of each kind, ascending.
    var counts: [(bin: Int32, count: Int64)] { bins.entries.map { ($0.bin, $0.weight) } }
}
