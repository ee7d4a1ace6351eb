internal import Models

/// What a sum is kept as (`MonthStore`), so that adding sums up comes to the same as adding up their cells:
///
///     version u8 = 1 · flags u8 (1: spread known, 2: exact, 4: the last one's devices are known) · varints: samples · parts · devices of the
///     last one · devices at least · then of the even and of the uneven ones: Σ W_d · most (varints) · Σ √(Σ W_d²) f64, little-endian · number of bins ·
///     of each bin its difference to the one before (zigzag) and its weight
extension MetricSum {
    private static let version: UInt8 = 1

    var encoded: [UInt8] {
        var out: [UInt8] = [
            Self.version, (isSpreadKnown ? 1 : 0) | (isExact ? 2 : 0) | (lastDevices == nil ? 0 : 4),
        ]
        for number in [samples, Int64(parts), lastDevices ?? 0, atLeast] {
            Varint.append(UInt64(bitPattern: number), to: &out)
        }
        for part in [even, uneven] {
            Varint.append(UInt64(bitPattern: part.sum), to: &out)
            Varint.append(UInt64(bitPattern: part.most), to: &out)
            withUnsafeBytes(of: part.roots.bitPattern.littleEndian) { out += $0 }
            let entries = part.bins.entries
            Varint.append(UInt64(entries.count), to: &out)
            var last: Int32 = 0
            for entry in entries {
                Varint.append(Varint.zigzag(Int64(entry.bin - last)), to: &out)
                Varint.append(UInt64(bitPattern: entry.weight), to: &out)
                last = entry.bin
            }
        }
        return out
    }

    /// Adds what was kept; false if the bytes are anything else.
    mutating func add(kept bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count > 2, let base = bytes.bindMemory(to: UInt8.self).baseAddress, base[0] == Self.version else {
            return false
        }
        var pointer = base + 2
        let end = base + bytes.count, flags = base[1]
        guard let samples = Varint.read(at: &pointer, end: end), let parts = Varint.read(at: &pointer, end: end),
            let devices = Varint.read(at: &pointer, end: end), let atLeast = Varint.read(at: &pointer, end: end),
            let even = Self.part(at: &pointer, end), let uneven = Self.part(at: &pointer, end), pointer == end
        else { return false }
        guard samples > 0 else { return true }
        self.samples += Int64(bitPattern: samples)
        self.parts += Int(bitPattern: UInt(parts))
        // Of one of several it does not matter.
        lastDevices = flags & 4 != 0 ? Int64(bitPattern: devices) : nil
        self.atLeast = max(self.atLeast, Int64(bitPattern: atLeast))
        if flags & 1 == 0 { isSpreadKnown = false }
        if flags & 2 == 0 || self.parts > 1 { isExact = false }
        hadValues = false
        self.even.add(even.part, even.entries)
        self.uneven.add(uneven.part, uneven.entries)
        return true
    }

    private static func part(
        at pointer: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> (part: Part, entries: [(bin: Int32, weight: Int64)])? {
        guard let sum = Varint.read(at: &pointer, end: end), let most = Varint.read(at: &pointer, end: end),
            end - pointer >= 8
        else { return nil }
        let bits = (0..<8).reduce(UInt64(0)) { $0 | UInt64(pointer[$1]) << UInt64(8 * $1) }
        pointer += 8
        guard let count = Varint.read(at: &pointer, end: end), count <= UInt64(end - pointer) / 2 else { return nil }
        var part = Part(), entries: [(bin: Int32, weight: Int64)] = [], last: Int64 = 0
        (part.sum, part.most) = (Int64(bitPattern: sum), Int64(bitPattern: most))
        part.roots = Double(bitPattern: bits)
        entries.reserveCapacity(Int(count))
        for _ in 0..<count {
            guard let gap = Varint.read(at: &pointer, end: end), let weight = Varint.read(at: &pointer, end: end)
            else { return nil }
            last &+= Varint.unzigzag(gap)
            guard let bin = Int32(exactly: last) else { return nil }
            entries.append((bin, Int64(bitPattern: weight)))
        }
        return (part, entries)
    }
}
