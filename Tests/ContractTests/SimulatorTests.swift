import PipelineTesting
import Synchronization
import Testing

/// The executable contract: whatever goes wrong, what comes out is what the reference model says.
struct SimulatorTests {
    @Test
    func `what comes out is what the model says, whatever is lost, doubled, late, full, killed, restored or upgraded`()
    {
        let events = EventCount(), range = SeedRange(standard: 100)
        let failures = range.failures(suite: "SimulatorTests") { events.add(try Simulator.run(seed: $0)) }
        #expect(failures.isEmpty, "\(failures.count) seeds differ, the first: \(failures.first ?? "")")
        print(events.text)
        guard range.seeds.count >= 1000, failures.isEmpty else { return }
        for event in SimulatedEvent.allCases {
            #expect(events[event] > 0, "\(event.rawValue) happens in none of \(range.seeds.count) worlds")
        }
    }
}

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
