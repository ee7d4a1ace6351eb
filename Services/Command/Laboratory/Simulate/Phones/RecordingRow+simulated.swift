import Models
import QoE

extension RecordingRow {
    /// A row of a simulated phone. `seq` is unique to the device; positions are rounded as phones round them.
    init(simulated device: String, _ kind: RecordingKind, seq: Int64, capturedAt: UnixMilliseconds) {
        self.init(device: device, kind: kind)
        self.capturedAt = capturedAt
        values[ColumnID.seq] = seq
    }

    /// - Parameter accuracy: metres.
    mutating func set(_ place: PlanePoint, accuracy: Double, source: Int64) {
        values[ColumnID.latitude] = place.latitude
        values[ColumnID.longitude] = place.longitude
        values[ColumnID.accuracy] = Int64(accuracy.rounded()) * 10
        values[ColumnID.locationSource] = source
    }

    mutating func set(_ sim: SimulatedSIM, serving: PLMN) {
        values[ColumnID.mcc] = sim.plmn.mcc
        values[ColumnID.mnc] = sim.plmn.mnc
        values[ColumnID.simSlot] = sim.slot
        guard sim.isRoaming else { return }
        values[ColumnID.servingMCC] = serving.mcc
        values[ColumnID.servingMNC] = serving.mnc
        values[ColumnID.roaming] = 1
    }

    /// The cell, and what was heard of it, as phones tell it: whole dB, within what is plausible of the technology.
    ///
    /// - Parameter errors: of level, quality and SINR, dB.
    mutating func set(_ reading: RadioReading, errors: (Double, Double, Double)) {
        let type = reading.layer.type, cell = Int64(reading.station.identity)
        values[ColumnID.networkType] = type.rawValue
        values[ColumnID.channel] = reading.layer.channel
        values[ColumnID.areaCode] = 1 + cell % 4_000
        switch type.technology {
        case .g4, .g5:
            values[ColumnID.cellID] = cell * 256 + Int64(reading.sector)
            values[ColumnID.pci] = cell % 168 * 3 + Int64(reading.sector)
            put(ColumnID.rsrp, reading.level + errors.0, within: -1400 ... -440)
            put(ColumnID.rsrq, reading.quality + errors.1, within: -300 ... -30)
            put(ColumnID.sinr, reading.sinr + errors.2, within: -200...300)
        case .g3:
            values[ColumnID.cellID] = cell * 64 + Int64(reading.sector)
            put(ColumnID.rssi, reading.level + errors.0, within: -1200 ... -250)
        default:
            values[ColumnID.cellID] = cell % 21_000 * 3 + Int64(reading.sector)
            put(ColumnID.rssi, reading.level + errors.0, within: -1110 ... -510)
        }
    }

    mutating func set(_ figures: ServiceFigures, withSpeed: Bool) {
        if withSpeed {
            values[ColumnID.download] = Int64(max(0, figures.download).rounded())
            values[ColumnID.upload] = Int64(max(0, figures.upload).rounded())
        }
        values[ColumnID.latency] = min(600_000, Int64(figures.latency.rounded()) * 10)
        values[ColumnID.jitter] = min(600_000, Int64(figures.jitter.rounded()) * 10)
        values[ColumnID.loss] = min(1_000, Int64((figures.loss * 10).rounded())) * 10
    }

    private mutating func put(_ column: UInt8, _ value: Double, within range: ClosedRange<Int64>) {
        values[column] = min(range.upperBound, max(range.lowerBound, Int64(value.rounded()) * 10))
    }
}
