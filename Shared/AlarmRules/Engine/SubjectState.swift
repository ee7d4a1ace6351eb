/// What a rule knows about one subject.
struct SubjectState: Sendable, Equatable {
    let key: WindowKey
    /// What was said up to the watermark.
    var window = DeviceWindow()
    /// Of rules that count: what bad was said after the watermark, which raises at once.
    var ahead: [Episode.Member] = []
    /// What was said after the watermark, by minute, until that passes it.
    var waiting: [WaitingDevices] = []
    /// Since when it would be raised, or cleared, if it stays so.
    var setSince: Int32?
    var clearSince: Int32?
    /// After which minute bad rows count for the next episode.
    var lastClear: Int32?
    /// The one that is open, or the last one.
    var episode: Episode?
    var baseline: Baseline?

    /// Most rows ahead of the watermark by which more is announced at once; what they cannot tell waits for the watermark.
    static let mostAhead = 512

    init(_ key: WindowKey, baseline: Baseline?) {
        self.key = key
        self.baseline = baseline
    }

    var isOpen: Bool { episode.map { $0.cleared == nil } ?? false }
    var isConfirmed: Bool { isOpen && episode!.isConfirmed }

    /// Whether nothing of it is needed any more.
    func isIdle(at minute: Int32) -> Bool {
        guard waiting.isEmpty, window.entries.isEmpty, baseline == nil else { return false }
        guard let episode else { return true }
        return episode.cleared.map { minute - $0 > 1_440 } ?? false
    }

    /// Keeps what a device said until the watermark has passed the minute.
    mutating func wait(
        _ minute: Int32, _ ordinal: UInt32, hash: UInt64, _ verdict: UInt16, isGood: Bool, capacity: Int
    ) {
        // Most rows are about the latest minutes, which lie at the end.
        var place = waiting.count - 1
        while place >= 0, waiting[place].minute != minute || waiting[place].isGood != isGood { place -= 1 }
        if place < 0 {
            waiting.append(WaitingDevices(minute: minute, isGood: isGood))
            place = waiting.count - 1
        }
        waiting[place].note(ordinal, hash: hash, verdict: verdict, capacity: capacity)
    }

    /// Takes in what waits of another subject that is joined to this one.
    mutating func join(_ other: WaitingDevices, capacity: Int) {
        if let place = waiting.firstIndex(where: { $0.minute == other.minute && $0.isGood == other.isGood }) {
            waiting[place].merge(other, capacity: capacity)
        } else {
            waiting.append(other)
        }
    }

    /// How far back bad rows count in a window of that length that ends with a minute: not beyond the last clearing.
    func reach(_ length: Int32, to minute: Int32) -> Int32 { lastClear.map { min(length, minute - $0) } ?? length }

    /// The first minute, from one on, by which so many devices said something bad within the window, rows ahead included.
    func reached(_ count: Int, within length: Int32, from minute: Int32) -> Int32? {
        let ends = Set(ahead.map(\.first).filter { $0 >= minute && $0 - minute < length }).sorted()
        return ends.first { bad(within: length, of: $0) >= count }
    }

    /// Devices that said something bad in a window that ends with a minute, rows ahead included.
    func bad(within length: Int32, of end: Int32) -> Int {
        let reach = reach(length, to: end)
        guard reach > 0 else { return 0 }
        var count = window.bad(within: reach, of: end)
        for (place, one) in ahead.enumerated() where end - one.first < reach && one.first <= end {
            let isSeen = ahead[..<place].contains {
                $0.ordinal == one.ordinal && end - $0.first < reach && $0.first <= end
            }
            if !isSeen, !window.says(one.ordinal, within: reach, of: end) { count += 1 }
        }
        return count
    }
}

extension DeviceWindow {
    /// Whether a device said something bad in the `length` minutes that end with a minute.
    fileprivate func says(_ ordinal: UInt32, within length: Int32, of minute: Int32) -> Bool {
        entry(ordinal).map { Minutes.isWithin($0.bad, length, of: minute) } ?? false
    }
}
