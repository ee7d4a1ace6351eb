import PipelineTesting
import Synchronization

/// In how many worlds each rare thing happened. Thread-safe.
final class EventCount: Sendable {
    private let counts = Mutex<[SimulatedEvent: Int]>([:])

    func add(_ events: Set<SimulatedEvent>) {
        counts.withLock { counts in
            for event in events { counts[event, default: 0] += 1 }
        }
    }

    subscript(event: SimulatedEvent) -> Int { counts.withLock { $0[event] ?? 0 } }

    /// A line for a person.
    var text: String {
        SimulatedEvent.allCases.map { "\($0.rawValue) \(self[$0])" }.joined(separator: ", ")
    }
}
