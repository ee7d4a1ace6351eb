internal import Models

/// The bytes in which an atom travels and is stored:
///
///     metric u8 · hour u8 · stratum u8 · level u8 · then varints: code · devices · samples · effective devices · mean (0 for none,
///     else zigzag + 1) · number of steps · of each step bin (zigzag; after the first one the difference) and percent
///
/// Level 0 is the whole network.
extension ReleasedAtom {
    public var bytes: [UInt8] {
        var out: [UInt8] = [metric, hour, stratum, UInt8(cell?.level ?? 0)]
        Varint.append(cell?.code ?? 0, to: &out)
        for count in [figures.devices, figures.samples, figures.effectiveDevices] {
            Varint.append(UInt64(bitPattern: count), to: &out)
        }
        Varint.append(figures.meanHundredths.map { Varint.zigzag($0) &+ 1 } ?? 0, to: &out)
        Varint.append(UInt64(figures.steps.count), to: &out)
        var last: Int32 = 0
        for step in figures.steps {
            Varint.append(Varint.zigzag(Int64(step.bin - last)), to: &out)
            Varint.append(UInt64(bitPattern: step.percent), to: &out)
            last = step.bin
        }
        return out
    }

    /// Reads ``bytes``; nil for anything else.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 4, let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return nil }
        var pointer = base + 4
        let end = base + bytes.count, level = Int(base[3])
        guard level <= Quadkey.deepestLevel, let code = Varint.read(at: &pointer, end: end),
            code >> UInt64(2 * level) == 0
        else { return nil }
        var counts: [Int64] = []
        for _ in 0..<5 {
            guard let count = Varint.read(at: &pointer, end: end) else { return nil }
            counts.append(Int64(bitPattern: count))
        }
        // Each step has at least two bytes.
        guard counts[4] >= 0, counts[4] <= (end - pointer) / 2 else { return nil }
        var steps: [AtomFigures.Step] = [], last: Int64 = 0
        steps.reserveCapacity(Int(counts[4]))
        for _ in 0..<counts[4] {
            guard let bin = Varint.read(at: &pointer, end: end), let percent = Varint.read(at: &pointer, end: end),
                percent <= 100
            else { return nil }
            last &+= Varint.unzigzag(bin)
            guard let bin = Int32(exactly: last) else { return nil }
            steps.append(AtomFigures.Step(bin: bin, percent: Int64(percent)))
        }
        guard pointer == end else { return nil }
        self.init(
            metric: base[0], hour: base[1], stratum: base[2],
            cell: level == 0 ? nil : Quadkey(level: level, code: code),
            figures: AtomFigures(
                devices: counts[0], samples: counts[1], effectiveDevices: counts[2],
                meanHundredths: counts[3] == 0 ? nil : Varint.unzigzag(UInt64(bitPattern: counts[3]) &- 1),
                steps: steps))
    }
}
