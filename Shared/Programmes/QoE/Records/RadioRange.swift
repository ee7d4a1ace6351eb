internal import Models

/// Plausible radio figures of each technology (from 3GPP TS 36.133, 38.133 and Android's API).
package enum RadioRange {
    /// What is plausible for a column, in stored units, when the network type is known; nil where the field's own
    /// range stands.
    package static func range(of column: UInt8, on type: NetworkType) -> ClosedRange<Int64>? {
        switch (column, type.technology) {
        case (ColumnID.rsrp, .g4): -1400 ... -430
        case (ColumnID.rsrp, .g5): -1560 ... -310
        case (ColumnID.rssi, .g2): -1130 ... -510
        case (ColumnID.pci, .g4): 0...503
        case (ColumnID.cellID, .g4): 0...(1 << 28 - 1)
        default: nil
        }
    }

    /// The columns whose range depends on the network type.
    package static let columns: [UInt8] = [ColumnID.rsrp, ColumnID.rssi, ColumnID.pci, ColumnID.cellID]
}
