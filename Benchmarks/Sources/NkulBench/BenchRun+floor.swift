/// What the reports cost at the least.
extension BenchRun {
    /// Measured right before and right after the uploads: a machine may be half as fast ten minutes later.
    func measureFloor() {
        guard parts.contains(.floor) else { return }
        do {
            say("the floor")
            guard !samples.isEmpty else { throw BenchError("there are no uploads to read") }
            for libraries in Floor.Libraries.allCases {
                floors[libraries, default: []].append(try Floor(libraries).measure(samples))
            }
        } catch { result.absent[Self.figure] = "\(error)" }
    }

    /// Means of what was measured, and what the services take of them.
    func noteFloor() {
        guard let floor = mean(.zlib), let own = mean(.own) else {
            if parts.contains(.floor), result.absent[Self.figure] == nil {
                result.absent[Self.figure] = "no uploads were made"
            }
            return
        }
        let cpu = result.cpu_microseconds_per_report
        result.floor_cpu_microseconds_per_report = floor
        result.cpu_ratio_to_floor = cpu.map { $0 / floor }
        result.own_floor_cpu_microseconds_per_report = own
        result.cpu_ratio_to_own_floor = cpu.map { $0 / own }
    }

    private static let figure = "floor_cpu_microseconds_per_report"

    private func mean(_ libraries: Floor.Libraries) -> Double? {
        floors[libraries].map { $0.reduce(0, +) / Double($0.count) }
    }
}
