import Foundation
import PipelineTesting
import Testing

/// `nkul up` with real services below it.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct UpTests {
    private struct Announcement: Decodable {
        let ready: Bool
        let pids: [String: Int32]
    }

    @Test
    func `nkul up stops all services cleanly within 10 s under load, and nothing acknowledged is lost`() throws {
        let pack = try ServicePack()
        let first = try Self.up(pack)
        let load = try FieldLoad(pack, seed: 4, mostRecords: 6_000, size: 10)
        load.fleet.start(threads: 4, pause: 5_000)
        #expect(load.fleet.reaches(0.2))
        first.process.askToStop()
        Self.expectCleanEnd(first.process, first.pids)
        let second = try Self.up(pack)
        #expect(load.fleet.reaches(0.6) && !load.fleet.isDone)
        second.process.interrupt()
        Self.expectCleanEnd(second.process, second.pids)
        let third = try Self.up(pack)
        load.expectSent()
        try PipelineCheck.expectAgreement(pack, load.model)
        third.process.askToStop()
        Self.expectCleanEnd(third.process, third.pids)
    }

    /// Starts `nkul up` and waits until it announces that all services are ready.
    private static func up(_ pack: ServicePack) throws -> (process: ServiceProcess, pids: [Int32]) {
        let process = pack.program("nkul", ["up", "--json"])
        try process.start()
        var announcement: Announcement?
        _ = becomesTrue(within: 120) {
            announcement =
                process.output.split(separator: "\n").lazy
                .compactMap { try? JSONDecoder().decode(Announcement.self, from: Data($0.utf8)) }.first
            return announcement != nil
        }
        guard let announcement, announcement.ready else { throw NotReady(name: "nkul up", output: process.output) }
        #expect(announcement.pids.count == ServicePack.names.count)
        return (process, Array(announcement.pids.values))
    }

    private static func expectCleanEnd(_ process: ServiceProcess, _ pids: [Int32]) {
        let start = Date()
        #expect(process.exitCode(within: 10) == 0, "\(process.output.suffix(2000))")
        let milliseconds = Int(Date().timeIntervalSince(start) * 1000)
        #expect(pids.allSatisfy { kill($0, 0) == -1 }, "a service is left")
        #expect(!process.output.contains("was ended by signal"), "\(process.output.suffix(2000))")
        print("nkul up under load: all stopped within \(milliseconds) ms")
    }
}
