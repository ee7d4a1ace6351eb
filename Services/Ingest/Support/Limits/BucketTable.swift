internal import Foundation
internal import Models
internal import Synchronization

/// Token buckets for any number of keys in a table of fixed size: one word each, no lock, from any thread.
///
/// A bucket is the generic cell rate algorithm (ITU-T I.371, annex A, virtual scheduling): all that is kept is the
/// theoretical arrival time TAT, at which the bucket will be full again. At time t, n tokens are given if
///
///     TAT − t ≤ τ,  and then  TAT := max(TAT, t) + n · T          T, τ: ``BucketRate``
///
/// so that many tokens at once are given as soon as one would be, and are paid for afterwards: an upload of any size gets
/// through, and over a time d no bucket gives more than burst + d/T + one upload.
///
///     63      44 43                                  0
///     │ tag 20 │ TAT, units of 1/1024 ms, mod 2⁴⁴    │    compared as a signed difference to now: ± 99 days
///
/// A bucket whose TAT has passed is as good as none, so that its word is given to whoever needs one; nothing is ever swept.
/// A key is looked for in 8 neighbouring words. When all of them are others' that are in use, it is not limited: the table
/// errs on the side of the phones. Two keys share a bucket if tag and neighbourhood agree, one pair in 10⁵ of a full table.
///
/// A TAT further ahead than any debt can be was written before the clock was set back: it counts as passed.
final class BucketTable: @unchecked Sendable {  // `words` is allocated for life; each word is an atomic
    static let neighbours = 8
    private static let timeBits: UInt64 = 44
    private static let timeMask: UInt64 = 1 << timeBits - 1

    let rate: BucketRate
    private let longestDebt: Int64
    private let seed: UInt64
    private let mask: Int
    private let words: UnsafeMutablePointer<Atomic<UInt64>>

    /// - Parameters:
    ///   - slots: buckets that may be in use at the same time, rounded up to a power of two; 8 bytes each.
    ///   - largest: most tokens that are taken at once.
    ///   - seed: random where keys come from strangers, so that they cannot choose who is their neighbour.
    init(_ rate: BucketRate, slots: Int, largest: Int = 1, seed: UInt64 = 0) {
        self.rate = rate
        self.seed = seed
        longestDebt = min(rate.tolerance + rate.time(of: largest), BucketRate.longestDebt)
        let wanted = rate.interval == 0 ? Self.neighbours : max(Self.neighbours, slots)
        mask = 1 << (Int.bitWidth - (wanted - 1).leadingZeroBitCount) - 1
        // Zeros are atomics of 0, and pages that nobody needs stay unused.
        guard let zeros = calloc(mask + 1, MemoryLayout<Atomic<UInt64>>.stride) else { fatalError("out of memory") }
        words = zeros.assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    deinit { free(words) }

    /// Takes tokens, or says how many milliseconds it takes until there are some again.
    func take(_ tokens: Int = 1, of key: UInt64, now: UnixMilliseconds) -> Int64 {
        guard rate.interval > 0, tokens > 0 else { return 0 }
        let now = Self.units(now), hash = hash(key)
        while let (place, word) = find(hash, now) {
            let debt = debt(word, hash, now)
            guard debt <= rate.tolerance else { return Self.milliseconds(debt - rate.tolerance) }
            let full = now + min(debt + rate.time(of: tokens), longestDebt)
            if exchange(place, word, full, hash) { return 0 }
        }
        return 0
    }

    /// Milliseconds until there are tokens; 0 if there are some.
    func wait(of key: UInt64, now: UnixMilliseconds) -> Int64 {
        let debt = debt(of: key, now: now)
        return debt <= rate.tolerance ? 0 : Self.milliseconds(debt - rate.tolerance)
    }

    /// Tokens that could be taken one by one.
    func available(to key: UInt64, now: UnixMilliseconds) -> Int {
        guard rate.interval > 0 else { return .max }
        let debt = debt(of: key, now: now)
        return debt <= rate.tolerance ? Int((rate.tolerance - debt) / rate.interval) + 1 : 0
    }

    /// Undoes ``take(_:of:now:)``.
    func giveBack(_ tokens: Int, of key: UInt64, now: UnixMilliseconds) {
        guard rate.interval > 0, tokens > 0 else { return }
        let now = Self.units(now), hash = hash(key)
        while let (place, word) = find(hash, now) {
            let debt = debt(word, hash, now)
            guard debt > 0, !exchange(place, word, now + max(0, debt - rate.time(of: tokens)), hash) else { return }
        }
    }

    private func debt(of key: UInt64, now: UnixMilliseconds) -> Int64 {
        guard rate.interval > 0 else { return 0 }
        let now = Self.units(now), hash = hash(key)
        return find(hash, now).map { debt($0.word, hash, now) } ?? 0
    }

    /// The word of a key, or one that is free; nil if all its neighbours are in use.
    private func find(_ hash: UInt64, _ now: Int64) -> (place: Int, word: UInt64)? {
        var free: (Int, UInt64)?
        for step in 0..<Self.neighbours {
            let place = (Int(truncatingIfNeeded: hash) &+ step) & mask
            let word = words[place].load(ordering: .relaxed)
            if word >> Self.timeBits == hash >> Self.timeBits { return (place, word) }
            if free == nil, ahead(word, now) == 0 { free = (place, word) }
        }
        return free
    }

    /// How far the bucket of a key is ahead of time, if the word is that key's.
    private func debt(_ word: UInt64, _ hash: UInt64, _ now: Int64) -> Int64 {
        word >> Self.timeBits == hash >> Self.timeBits ? ahead(word, now) : 0
    }

    private func ahead(_ word: UInt64, _ now: Int64) -> Int64 {
        let unused = 64 - Int64(Self.timeBits)
        let ahead = ((Int64(bitPattern: word & Self.timeMask) &- now) << unused) >> unused
        return ahead > longestDebt ? 0 : max(0, ahead)
    }

    private func exchange(_ place: Int, _ word: UInt64, _ full: Int64, _ hash: UInt64) -> Bool {
        let new = hash & ~Self.timeMask | UInt64(bitPattern: full) & Self.timeMask
        return words[place].compareExchange(expected: word, desired: new, ordering: .relaxed).exchanged
    }

    private func hash(_ key: UInt64) -> UInt64 { SplitMix64.mixed(key ^ seed) }
    private static func units(_ time: UnixMilliseconds) -> Int64 { time &* BucketRate.unitsOfAMillisecond }
    private static func milliseconds(_ units: Int64) -> Int64 {
        (units + BucketRate.unitsOfAMillisecond - 1) / BucketRate.unitsOfAMillisecond
    }
}
