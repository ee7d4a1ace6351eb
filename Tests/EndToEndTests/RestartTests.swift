import Foundation
import PipelineTesting
import Testing

/// Each service restarted while phones send, as an upgrade does and as a crash does.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct RestartTests {
    @Test
    func `each service restarted under load is ready within 10 s, and nothing is lost`() throws {
        let pack = try ServicePack()
        try pack.start()
        let listener = try AlarmListener(AlertAccess.regulator(of: pack))
        defer { listener.stop() }
        let load = try FieldLoad(pack, seed: 9, mostRecords: 12_000, size: 8)
        load.fleet.start(threads: 2, pause: 25_000)
        #expect(load.fleet.reaches(0.02))
        var slowest = 0.0
        for name in ServicePack.names {
            slowest = max(slowest, try Self.restart(pack.processes[name]!, pack) { $0.askToStop() })
        }
        for name in ServicePack.names {
            slowest = max(slowest, try Self.restart(pack.processes[name]!, pack) { $0.kill() })
        }
        #expect(!load.fleet.isDone, "the load was over before the last restart")
        load.fleet.hurry()
        load.expectSent()
        try PipelineCheck.expectAgreement(pack, load.model, listener)
        print("restarts under load: each service twice, the slowest was ready after \(Int(slowest * 1000)) ms")
    }

    /// - Returns: seconds from the start until the service was ready.
    private static func restart(
        _ process: ServiceProcess, _ pack: ServicePack, by ending: (ServiceProcess) -> Void
    ) throws -> Double {
        ending(process)
        let code = process.exitCode(within: 10)
        #expect(process.identifier == 0 && code ?? 0 == 0, "\(process.name): \(pack.output(of: process.name))")
        try process.start()
        let start = Date()
        try pack.expectReady([process.name], within: 10)
        return Date().timeIntervalSince(start)
    }
}
