import AggregatorCells
import Models

/// Counts the rows and samples of each device in some cells anew, from the rows of their day.
struct DeviceRecount: CellSink {
    /// The most cells that are counted at once.
    static let most = 256

    /// Whose rows count, ascending.
    let devices: [UInt32]
    private(set) var counts: [CellKey: DeviceCounts]
    private var scratch = CellSum.Scratch()

    /// - Parameter devices: of each cell.
    init(_ devices: [CellKey: [UInt32]]) {
        self.devices = Set(devices.values.joined()).sorted()
        counts = devices.mapValues { _ in DeviceCounts() }
    }

    mutating func add(_ sum: CellSum, to cell: CellKey) throws {
        guard counts[cell] != nil else { return }
        counts[cell]!.add(sum.devices, scratch: &scratch)
    }
}
