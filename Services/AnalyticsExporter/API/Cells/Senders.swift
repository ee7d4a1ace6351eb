internal import Statistics

/// How many devices sent the rows of stored cells, whatever is in them.
struct Senders {
    /// Stored cells, those that are the same but for their population counted as one.
    private var parts = 0
    /// Those of the last.
    private var last: Int64 = 0
    /// The most that a stored cell had.
    private(set) var atLeast: Int64 = 0

    mutating func add(_ devices: Int64, isOther: Bool) {
        if isOther {
            last += devices
        } else {
            parts += 1
            last = devices
        }
        atLeast = max(atLeast, devices)
    }

    /// Known with one stored cell only: devices of several may be the same ones. Of a cell's two populations it is the sum, in which
    /// a device counts twice that changed its consent within the bucket.
    var count: Int64? { parts == 1 ? last : nil }

    /// Whether they are fewer than five, or may be, as nobody knows how many there are.
    var areFew: Bool { (count ?? atLeast) < Self.few }

    /// Fewer devices than these do not speak for a place: what one phone measured paints none.
    static let few = Int64(DeviceCap.devices)
}
