/// The local days on which a device gave feedback that was granted, as runs of days without a gap. Pure.
///
/// Bounded: of more than ``mostRuns`` the oldest go; the longest run there ever was is remembered.
///
///     first i32 │ last i32      for each run, little-endian, oldest first; days since 1970
struct RewardedDays: Equatable {
    static let mostRuns = 366

    struct Damage: Error {}

    private(set) var runs: [ClosedRange<Int32>] = []
    /// Days of the longest run.
    private(set) var best: Int64 = 0

    init() {}

    /// Reads what ``encoded`` wrote.
    ///
    /// - Throws: ``Damage``.
    init(_ bytes: some Collection<UInt8>, best: Int64) throws {
        guard bytes.count % 8 == 0 else { throw Damage() }
        let numbers = Array(bytes).withUnsafeBytes { buffer in
            stride(from: 0, to: buffer.count, by: 4).map {
                Int32(littleEndian: buffer.loadUnaligned(fromByteOffset: $0, as: Int32.self))
            }
        }
        for place in stride(from: 0, to: numbers.count, by: 2) {
            let (first, last) = (numbers[place], numbers[place + 1])
            guard first <= last, runs.last.map({ $0.upperBound < first }) ?? true else { throw Damage() }
            runs.append(first...last)
        }
        self.best = best
    }

    var encoded: [UInt8] {
        runs.flatMap { run in
            [run.lowerBound, run.upperBound].flatMap { withUnsafeBytes(of: $0.littleEndian, Array.init) }
        }
    }

    /// Adds a day; one that is there already, or that no calendar has, changes nothing.
    mutating func insert(_ day: Int64) {
        guard let day = Int32(exactly: day), day > .min, day < .max else { return }
        let after = runs.firstIndex { $0.upperBound >= day - 1 } ?? runs.count
        var joined = day...day
        var end = after
        while end < runs.count, runs[end].lowerBound <= day + 1 {
            joined = min(joined.lowerBound, runs[end].lowerBound)...max(joined.upperBound, runs[end].upperBound)
            end += 1
        }
        runs.replaceSubrange(after..<end, with: [joined])
        best = max(best, Int64(joined.count))
        if runs.count > Self.mostRuns { runs.removeFirst(runs.count - Self.mostRuns) }
    }

    /// Days without a gap up to a day, 0 if it is not one of them.
    func length(endingOn day: Int64) -> Int64 {
        guard let day = Int32(exactly: day), let run = runs.last(where: { $0.contains(day) }) else { return 0 }
        return Int64(day) - Int64(run.lowerBound) + 1
    }
}

/// Days in a row. Pure.
///
/// A day counts if at least one feedback that was received on it was granted, whatever became of the payment. The streak
/// is alive while the last such day is today or yesterday: who gave none yet today has until midnight.
struct Streak: Equatable, Sendable {
    /// Days of the streak that is alive; 0 if none is.
    let days: Int64
    /// Days of the longest ever.
    let best: Int64

    /// - Parameter today: the local day, since 1970.
    init(_ rewarded: RewardedDays, today: Int64) {
        let until = rewarded.length(endingOn: today)
        days = until > 0 ? until : rewarded.length(endingOn: today - 1)
        best = rewarded.best
    }
}
