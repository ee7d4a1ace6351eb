/// Statistics whose time is over: nothing changes them any more.
extension ReferenceModel {
    /// The statistics of all accepted rows, as `--dump` prints them: of closed days what was left when they were closed.
    public var dump: String {
        cells.split(separator: "\n").map { $0.prefix { $0 != "|" }.dropLast() + "\n" }.joined()
    }

    /// The same, and behind ` |` how samples are spread over devices.
    public var cells: String {
        let open = rows.filter { localDay($0) >= sealedThrough }
        // All of it is ASCII, so that the order of strings is that of their bytes.
        let lines = ReferenceStatistics.lines(open, zoneOffset: zoneOffset) + sealedLines
        return lines.sorted().map { $0 + "\n" }.joined()
    }

    /// The aggregator has closed the local days that begin before a time, Unix seconds.
    ///
    /// - Parameters:
    ///   - erased: erasures that it has executed. What others ask for comes too late for these days.
    ///   - minimumDevices: of a cell that stays.
    /// - Returns: how many cells stay, and how many go.
    public mutating func seal(
        before day: Int, erased: Set<String>, minimumDevices: Int
    ) -> (kept: Int, removed: Int) {
        let late = erasedRequests.filter { !erased.contains($0.key) }.flatMap(\.value)
        let closed = (rows + late).filter { (sealedThrough..<day).contains(localDay($0)) }
        let lines = ReferenceStatistics.lines(closed, zoneOffset: zoneOffset)
        let kept = lines.filter { line in
            let devices = line.split(separator: " ").first { $0.hasPrefix("devices=") }!.dropFirst("devices=".count)
            return Int(devices)! >= minimumDevices
        }
        sealedLines += kept
        sealedThrough = day
        return (kept.count, lines.count - kept.count)
    }

    private func localDay(_ row: ReferenceRow) -> Int {
        let second = Int((Double(row.capturedAt) / 1000).rounded(.down))
        return (second + zoneOffset) / 86_400 * 86_400 - zoneOffset
    }
}
