internal import Models

/// How often what happened in stored cells, while they are added up.
struct EventCounts: CellAdding {
    private var bins = CompactBins()
    private var scratch: [CellHistograms.Entry] = []
    /// Devices that sent any row, with or without an event.
    private(set) var senders = Senders()

    init() {}

    mutating func add(_ cell: StoredCell, of metric: UInt8) -> Bool {
        senders.add(cell.devices, isOther: cell.isOther)
        guard var reader = CellHistogramReader(cell.histograms) else { return false }
        scratch.removeAll(keepingCapacity: true)
        while let entry = reader.next(), entry.metric <= metric {
            if entry.metric == metric { scratch.append(entry) }
        }
        bins.add(scratch, each: 1)
        return reader.isSound
    }

    /// How many there are of each kind, ascending.
    var counts: [(bin: Int32, count: Int64)] { bins.entries.map { ($0.bin, $0.weight) } }
}
