internal import Models

/// When a phone is asked to upload next, so that a million of them do not come at the full hour. Pure.
///
/// Each device has a moment of its own in every period, by a hash of its number. What it is told is the first of its moments
/// that is at least half a period away: half to one and a half periods, one on average. However many come at the same
/// time, the next time they come one after another, evenly, and it needs no memory. Nothing is refused who comes earlier.
package struct UploadPace: Sendable {
    /// The period while there is nothing to fear.
    var period: Duration = .seconds(900)
    /// The period when the service is full.
    var longest: Duration = .seconds(3_600)
    /// Up to this load (1 000: full) the period stays.
    static let calm = 500

    /// Seconds until a device should upload again; urgent records are sent at once anyway.
    ///
    /// - Parameter load: 0…1 000, ``LoadGauge``.
    func seconds(of device: UInt64, load: Int, now: UnixMilliseconds) -> Int {
        let period = UInt64(milliseconds(load))
        let own = SplitMix64.mixed(device).multipliedFullWidth(by: period).high
        let earliest = UInt64(max(0, now)) + period / 2
        let wait = period / 2 + (own + period - earliest % period) % period
        return Int((wait + 999) / 1_000)
    }

    /// The period under a load, at least a second.
    private func milliseconds(_ load: Int) -> Int64 {
        let calm = Self.milliseconds(period), full = max(calm, Self.milliseconds(longest))
        let over = Int64(min(max(load, Self.calm), 1_000) - Self.calm)
        return max(1_000, calm + (full - calm) * over / Int64(1_000 - Self.calm))
    }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1_000 + duration.components.attoseconds / 1_000_000_000_000_000
    }
}
