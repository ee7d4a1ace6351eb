import Foundation
import Models

@testable import Laboratory

/// Simulations for tests: short days in few towns.
enum SimulatedDays {
    /// 2026-03-02T00:00:00+01:00, a Monday.
    static let start: UnixMilliseconds = 1_772_406_000_000

    static func simulation(
        devices: Int = 40, from hour: Double = 0, hours: Double = 24, seed: UInt64 = 7, towns: [String] = ["Yaounde"],
        faults: String = #"{"faults":[]}"#
    ) throws -> Simulation {
        let begin = start + Int64(hour * 3_600_000)
        let map = SimulatedMap(Town.cameroon.filter { towns.contains($0.name) })
        let settings = SimulationSettings(
            devices: devices, seed: seed, start: begin, end: begin + Int64(hours * 3_600_000))
        let script = try FaultScript.faults(Data(faults.utf8), map, start: begin, name: "faults")
        return Simulation(SimulatedWorld(settings, map: map, faults: script))
    }

    static func rows(_ simulation: Simulation) -> [RecordingRow] {
        var simulation = simulation, rows: [RecordingRow] = []
        while let row = simulation.next() { rows.append(row) }
        return rows
    }

    static func median(_ values: [Int64]) -> Int64 { values.isEmpty ? 0 : values.sorted()[values.count / 2] }

    static func place(_ row: RecordingRow) -> PlanePoint {
        PlanePoint(latitude: row.values[ColumnID.latitude] ?? 0, longitude: row.values[ColumnID.longitude] ?? 0)
    }
}
