import Foundation
import PipelineTesting
import TemporaryFiles
import Testing

/// Services whose work may wait for a free core, while there is none.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct FullMachineTests {
    @Test
    func `while others take every core an operator can log in, and what takes leftovers stops within 10 s`() throws {
        let pack = try ServicePack()
        try pack.start()
        let token = try String(contentsOfFile: pack.home.path("home/keys/regulator.token"), encoding: .utf8)
        let load = try FieldLoad(pack, seed: 11, mostRecords: 12_000, size: 40)
        load.fleet.start(threads: 2, pause: 10_000)
        #expect(load.fleet.reaches(0.1))
        let others = try BusyMachine()
        defer { others.end() }
        #expect(load.fleet.reaches(0.2))
        let logIn = try Self.seconds { try Self.logIn(token, pack) }
        #expect(logIn < 10)
        #expect(!load.fleet.isDone, "the load was over before the log-in")
        var slowest = 0.0
        for name in ["nkul-batch-aggregator", "nkul-analytics-exporter"] {
            let process = pack.processes[name]!
            process.askToStop()
            slowest = max(
                slowest, Self.seconds { #expect(process.exitCode(within: 10) == 0, "\(pack.output(of: name))") })
            process.kill()
            try process.start()
        }
        load.fleet.hurry()
        load.expectSent()
        others.end()
        try PipelineCheck.expectAgreement(pack, load.model)
        print(
            "no core free: logged in after \(Int(logIn * 1000)) ms, the slower had stopped after \(Int(slowest * 1000)) ms"
        )
    }

    private static func logIn(_ token: String, _ pack: ServicePack) throws {
        let body = #"{"token":"\#(token.trimmingCharacters(in: .whitespacesAndNewlines))"}"#
        let headers = ["Content-Type": "application/json", "Origin": "http://127.0.0.1:\(pack.exporterPort)"]
        let answer = try HTTPExchange.send(
            "POST", "/v1/session", port: pack.exporterPort, headers: headers, body: Array(body.utf8))
        #expect(answer.status == 204, "\(answer.text)")
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try body()
        return (ContinuousClock.now - start) / .seconds(1)
    }
}

/// Programs that take every core until they are ended, or this one is.
final class BusyMachine {
    private let programs: [Process]

    /// - Throws: what keeps a shell from being started.
    init() throws {
        programs = try (0..<ProcessInfo.processInfo.activeProcessorCount).map { _ in
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "while kill -0 $PPID; do :; done"]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            return process
        }
    }

    deinit { end() }

    func end() {
        // A thread of the tests may have SIGTERM blocked, and with it what it starts.
        for program in programs where program.isRunning { kill(program.processIdentifier, SIGKILL) }
    }
}
