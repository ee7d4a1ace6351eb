import Foundation
import Synchronization

/// When the host of a virtual machine gave its processors to others ("steal" of `/proc/stat`): what was late then says nothing
/// of the programs. A thread looks twenty times a second; the kernel tells it to 10 ms, so what is shorter is not noticed.
final class StolenTime: Sendable {
    /// What was late because of a pause is through so long after it, in nanoseconds.
    private static let aftermath: UInt64 = 200_000_000
    private static let pause: TimeInterval = 0.05

    private struct State {
        var last: (at: UInt64, stolen: Int)?
        /// Moments of ``Monotonic``, ascending.
        var disturbed: [ClosedRange<UInt64>] = []
    }

    private let state = Mutex(State())

    init() {
        let thread = Thread { [weak self] in
            while let self {
                self.look()
                Thread.sleep(forTimeInterval: Self.pause)
            }
        }
        thread.name = "stolen time"
        thread.start()
    }

    /// Whether nothing was taken between two moments, nor shortly before.
    ///
    /// To be asked when a tenth of a second has passed since the later moment.
    func isUndisturbed(_ from: UInt64, _ to: UInt64) -> Bool {
        state.withLock { state in !state.disturbed.contains { $0.overlaps(from...to) } }
    }

    private func look() {
        guard let stolen = Self.stolenTicks() else { return }
        let now = Monotonic.nanoseconds()
        state.withLock { state in
            if let last = state.last, stolen > last.stolen {
                let end = now + Self.aftermath
                if let before = state.disturbed.last, before.upperBound >= last.at {
                    state.disturbed[state.disturbed.count - 1] = before.lowerBound...end
                } else {
                    state.disturbed.append(last.at...end)
                }
            }
            state.last = (now, stolen)
        }
    }

    /// Of all processors since the machine began, in units of 10 ms; nil where the kernel does not say.
    private static func stolenTicks() -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8) else { return nil }
        let fields = text.prefix { $0 != "\n" }.split(separator: " ")
        return fields.count > 8 ? Int(fields[8]) : nil
    }
}
