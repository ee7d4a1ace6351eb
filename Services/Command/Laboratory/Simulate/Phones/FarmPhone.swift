import Models
import QoE

/// A phone of a cheating farm: it lies on a table with others, tells whatever place it likes, and rates one operator the
/// same way again and again.
struct FarmPhone {
    let name: String
    private let fault: SimulatedFault
    private let plmn: PLMN
    private let table: PlanePoint
    private var random: SplitMix64
    private(set) var moment: UnixMilliseconds
    private var seq: Int64 = 0

    init?(number: Int, fault: SimulatedFault, seed: UInt64) {
        guard let area = fault.area, let plmn = fault.plmn else { return nil }
        name = SimulationSettings.name(of: number)
        random = SplitMix64(seed: seed, name: name)
        self.fault = fault
        self.plmn = plmn
        table = area.centre
        moment = fault.from + Int64(random.unit() * 240_000)
    }

    /// nil when the farm has closed.
    var isOpen: Bool { fault.isActive(at: moment) }

    mutating func next() -> [RecordingRow] {
        let reach = fault.area?.radius ?? 0
        let offset = PlanePoint(east: random.between(-0.7, 0.7), north: random.between(-0.7, 0.7)) * reach
        let isMocked = random.chance(0.6)
        var report = row(.report, moment)
        report.set(isMocked ? table + offset : table, accuracy: 5, source: 0)
        report.values[ColumnID.mcc] = plmn.mcc
        report.values[ColumnID.mnc] = plmn.mnc
        report.values[ColumnID.networkType] = NetworkType.lte.rawValue
        report.values[ColumnID.cellID] = 4_242 * 256
        report.values[ColumnID.rsrp] = -700
        report.values[ColumnID.download] = fault.rating > 2 ? 50_000 : 50
        report.values[ColumnID.latency] = fault.rating > 2 ? 200 : 9_000
        if isMocked { report.values[ColumnID.mockLocation] = 1 }
        var feedback = row(.feedback, moment + 5_000)
        for column in [
            ColumnID.latitude, ColumnID.longitude, ColumnID.accuracy, ColumnID.mcc, ColumnID.mnc,
            ColumnID.networkType, ColumnID.mockLocation,
        ] { feedback.values[column] = report.values[column] }
        feedback.values[ColumnID.rating] = fault.rating
        feedback.values[ColumnID.trigger] = 1
        moment += 240_000 + Int64(random.unit() * 10_000)
        return [report, feedback]
    }

    private mutating func row(_ kind: RecordingKind, _ time: UnixMilliseconds) -> RecordingRow {
        seq += 1
        return RecordingRow(simulated: name, kind, seq: seq, capturedAt: time)
    }
}
