import Models

/// The bytes of a bin's entry among those of its device, drawn at ``CellDevices``.
extension DeviceCounts.Entry {
    /// Writes an entry of a bin, three numbers at most.
    ///
    /// - Parameter last: the slot of the device's entry before; 0 for its first.
    @inline(__always)
    func write(after last: UInt32, at pointer: inout UnsafeMutablePointer<UInt8>) {
        let step = UInt64(slot >> 24 &- last >> 24)
        // A device's first entry is never of the same metric: there is none before it.
        let isSame = step == 0 && last != 0
        let value = isSame ? UInt64(slot - last) : Varint.zigzag(Int64(slot & 0xff_ffff) - 0x80_0000)
        let steps = isSame ? 0 : last == 0 ? step + 1 : step
        Varint.write(value << 3 | min(steps, 3) << 1 | (count > 1 ? 1 : 0), at: &pointer)
        if steps >= 3 { Varint.write(steps - 3, at: &pointer) }
        if count > 1 { Varint.write(UInt64(count - 2), at: &pointer) }
    }

    /// Reads what ``write(after:at:)`` wrote; nil if the bytes are no entry behind the one before.
    @inline(__always)
    init?(of device: UInt32, after last: UInt32, at pointer: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
        guard let token = Varint.read(at: &pointer, end: end) else { return nil }
        var steps = token >> 1 & 3, count: UInt64 = 1
        let value = token >> 3
        if steps == 3 {
            guard let more = Varint.read(at: &pointer, end: end), more < 256 else { return nil }
            steps += more
        }
        if token & 1 == 1 {
            guard let more = Varint.read(at: &pointer, end: end), more < 1 << 48 else { return nil }
            count = more + 2
        }
        guard let slot = Self.slot(steps, value, after: last), slot > last else { return nil }
        self.init(device: device, slot: slot, count: Int64(count))
    }

    private static func slot(_ steps: UInt64, _ value: UInt64, after last: UInt32) -> UInt32? {
        if steps == 0 {
            guard last != 0, value < 1 << 24 else { return nil }
            let slot = UInt64(last) + value
            return slot >> 24 == UInt64(last >> 24) ? UInt32(slot) : nil
        }
        let metric = last == 0 ? steps - 1 : UInt64(last >> 24) + steps
        let bin = Varint.unzigzag(value)
        guard metric < 256, bin.magnitude < 1 << 23 else { return nil }
        return UInt32(metric) << 24 | UInt32(bin + 0x80_0000)
    }
}
