import PipelineTesting
import Testing

/// The executable contract: whatever goes wrong, what comes out is what the reference model says.
struct SimulatorTests {
    @Test("rows, statistics and alarms are those of the model, whatever is lost, doubled, late, full or killed")
    func worldsAgreeWithTheModel() {
        let failures = SeedRange(standard: 2000).failures(suite: "SimulatorTests") { try Simulator.run(seed: $0) }
        for failure in failures { print(failure) }
        #expect(failures.isEmpty, "\(failures.count) seeds differ, the first: \(failures.first ?? "")")
    }
}
