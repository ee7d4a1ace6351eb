import Foundation
import Synchronization

/// When the machine stood still for everybody, whatever its programs did: what was late then says little of them.
///
/// Two threads look: ``StolenTime`` 20 times a second, ``DiskPauses`` 50 times.
final class MachinePauses: Sendable {
    enum Kind: CaseIterable { case stolen, disk }

    /// What was late because of a pause is through so long after it, in nanoseconds.
    private static let aftermath: UInt64 = 200_000_000
    /// Moments of ``Monotonic``, by what stood still, each in the order in which they ended.
    private let pauses = Mutex<[Kind: [ClosedRange<UInt64>]]>([:])

    /// - Parameter directory: on the disk that is measured.
    init(directory: String) throws {
        let disk = try DiskPauses(directory: directory)
        var stolen = StolenTime()
        watch("stolen time", every: 0.05, .stolen) { stolen.look() }
        watch("disk pauses", every: 0.02, .disk) { disk.look() }
    }

    /// Whether neither a processor nor the disk was away between two moments, nor shortly before.
    ///
    /// To be asked when a tenth of a second has passed since the later moment.
    func isUndisturbed(_ from: UInt64, _ to: UInt64) -> Bool {
        pauses.withLock { pauses in
            !pauses.values.joined().contains { $0.lowerBound <= to && from <= $0.upperBound + Self.aftermath }
        }
    }

    /// The share of the time between two moments in which one stood still.
    func share(_ kind: Kind, from: UInt64, to: UInt64) -> Double {
        let paused = pauses.withLock { pauses in
            (pauses[kind] ?? []).filter { $0.overlaps(from...to) }
                .reduce(0) { $0 + min($1.upperBound, to) - max($1.lowerBound, from) }
        }
        return Double(paused) / Double(to - from)
    }

    /// - Parameter look: a pause that is over, if there was one.
    private func watch(
        _ name: String, every seconds: TimeInterval, _ kind: Kind,
        _ look: @escaping () -> ClosedRange<UInt64>?
    ) {
        nonisolated(unsafe) let look = look
        let thread = Thread { [weak self] in
            while let self {
                if let pause = look() { self.pauses.withLock { $0[kind, default: []].append(pause) } }
                Thread.sleep(forTimeInterval: seconds)
            }
        }
        thread.name = name
        thread.start()
    }
}
