/// Records of a day that are neighbours in the order in which folds take them: by place, and at one place by device.
///
///     place of ``PlaceKey`` (48 bits) │ the device's bits in reverse, the upper 16
///
/// Where devices of a place are cut in two, both halves have about as many, whatever their ordinals. Devices whose ordinals
/// end in the same 16 bits stay together: at one place, one in 65 536 of the three million rows that a fold takes, or one device.
package struct FoldRange: Equatable {
    var first: UInt64
    /// Belongs to it.
    package var last: UInt64

    private static let deviceBits: UInt64 = 16
    private static let devices = UInt64(1) << deviceBits - 1

    /// Where a record stands.
    static func key(place: UInt64, device: UInt32) -> UInt64 {
        place << deviceBits | UInt64(reversed(device) >> (32 - UInt32(deviceBits)))
    }

    /// All devices of a place.
    init(place: UInt64) {
        first = place << FoldRange.deviceBits
        last = first | FoldRange.devices
    }

    package init(first: UInt64 = 0, last: UInt64 = .max) {
        self.first = first
        self.last = last
    }

    @inline(__always)
    func contains(place: UInt64, device: UInt32) -> Bool {
        let lowest = place << FoldRange.deviceBits, highest = lowest | FoldRange.devices
        if lowest >= first && highest <= last { return true }
        if highest < first || lowest > last { return false }
        let key = FoldRange.key(place: place, device: device)
        return key >= first && key <= last
    }

    /// What is in both; nil if there is nothing.
    func common(_ other: FoldRange) -> FoldRange? {
        let first = max(first, other.first), last = min(last, other.last)
        return first <= last ? FoldRange(first: first, last: last) : nil
    }

    private static func reversed(_ device: UInt32) -> UInt32 {
        var bits = device.byteSwapped
        bits = bits >> 4 & 0x0f0f_0f0f | (bits & 0x0f0f_0f0f) << 4
        bits = bits >> 2 & 0x3333_3333 | (bits & 0x3333_3333) << 2
        return bits >> 1 & 0x5555_5555 | (bits & 0x5555_5555) << 1
    }
}
