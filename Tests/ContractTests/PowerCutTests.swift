import PipelineTesting
import Testing

/// What kill -9 cannot show: the machine itself stops, and of what was not synced any part may be gone.
struct PowerCutTests {
    @Test
    func `an acknowledged record survives every power cut, once`() {
        let failures = SeedRange(standard: 100).failures(suite: "PowerCutTests") { try PowerCutRun.run(seed: $0) }
        #expect(failures.isEmpty, "\(failures.count) seeds differ, the first: \(failures.first ?? "")")
    }
}
