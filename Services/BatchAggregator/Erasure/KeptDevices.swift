import Models

/// In which cells of a day the devices still have rows of which only a part is erased.
struct KeptDevices: CellSink {
    private var cells: [CellKey: [UInt32]] = [:]

    mutating func add(_ sum: CellSum, to cell: CellKey) throws { cells[cell] = sum.devices }

    /// The devices of a sum, ascending, that have no row left in its cell.
    func gone(_ sum: CellSum, from cell: CellKey) -> [UInt32] {
        guard let kept = cells[cell] else { return sum.devices }
        return sum.devices.filter { !kept.contains($0) }
    }
}
