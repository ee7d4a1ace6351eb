extension ReferenceModel {
    /// What a subscriber wants erased goes.
    mutating func erase(device: Int, _ erasure: SimulatedErasure, now: Int64) {
        guard !erasure.isEverything else { return erase(device: device, request: erasure.request) }
        erase(
            device: device, from: erasure.times.map { Int($0.lowerBound) },
            to: erasure.times.map { Int($0.upperBound) },
            cells: erasure.cells, now: Int(now), request: erasure.request)
    }
}
