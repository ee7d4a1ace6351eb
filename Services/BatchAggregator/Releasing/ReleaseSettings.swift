package import Models
package import Releases

/// How releases are made.
package struct ReleaseSettings: Sendable {
    package var rules: ReleaseRules
    /// Which devices count.
    package var trust: TrustPolicy
    /// The secret by which devices are divided among classes, 32 bytes.
    package var root: [UInt8]

    package init(rules: ReleaseRules, trust: TrustPolicy, root: [UInt8]) {
        self.rules = rules
        self.trust = trust
        self.root = root
    }
}

/// What a job releases: an hour of a local day for one class, or a whole day for the two others.
struct ReleasePeriod: Equatable, Sendable {
    /// The begin of the local day whose open rows are read, Unix seconds.
    let day: Int64
    /// Unix seconds.
    let seconds: Range<Int64>
    let classes: [ReleaseClass]

    /// - Parameter end: of the local day.
    init(day: Int64, end: Int64) {
        self.day = day
        seconds = day..<end
        classes = [.technology, .final]
    }

    /// - Parameters:
    ///   - hour: of the local day, from 0 on.
    ///   - end: of the local day.
    init(hour: Int64, of day: Int64, end: Int64) {
        self.day = day
        seconds = day + hour * 3_600..<min(day + (hour + 1) * 3_600, end)
        classes = [.provisional]
    }
}
