import Foundation
import ServiceLifecycle
import TemporaryFiles
import Testing

@testable import ServiceKit

private struct SampleConfiguration: ServiceConfiguration {
    let common: CommonConfiguration
    let rows: Int

    init(_ settings: Settings) throws {
        common = try CommonConfiguration(settings)
        rows = try settings.value(.integer("NKUL_INGEST_ROWS", default: 10, in: 1...100, unit: "rows", "rows a block"))
    }
}

private struct Sample: Service {
    let body: @Sendable () async throws -> Void
    func run() async throws { try await body() }
}

struct ServiceMainTests {
    private let directory = try! TemporaryDirectory()

    private func program(_ body: @escaping @Sendable (ServiceHost) async throws -> Void) -> ServiceMain<
        SampleConfiguration
    > {
        var program = ServiceMain(.ingest, SampleConfiguration.self, summary: "A sample.") { _, host in
            Sample { try await body(host) }
        }
        program.limit = .seconds(600)
        return program
    }

    private func environment(_ more: [String: String] = [:]) -> [String: String] {
        let own = ["NKUL_HOME": directory.path, "NKUL_ADMIN_INGEST": "127.0.0.1:0", "NKUL_LOG_LEVEL": "critical"]
        return own.merging(more) { $1 }
    }

    private var none: ServiceArguments { get throws { try ServiceArguments([], actions: []) } }

    @Test(arguments: [["--nonsense"], ["extra"], ["--config"], ["--dump", "--rebuild"]])
    func `a wrong argument is an error of usage`(arguments: [String]) {
        #expect {
            try ServiceArguments(arguments, actions: ["--dump", "--rebuild"])
        } throws: { error in
            (error as? ServiceError)?.exitCode == 2
        }
    }

    @Test func `the line a program fails with is of the format that was asked for`() async throws {
        let program = program { _ in }
        let file = directory.file("settings.json", #"{"NKUL_LOG_FORMAT":"json"}"#)
        let error = ServiceError(.usage, "no")
        for (environment, file, format) in [
            ([:], nil, LogFormat.text), (["NKUL_LOG_FORMAT": "json"], nil, .json), ([:], file, .json),
            (["NKUL_LOG_FORMAT": "xml"], nil, .text), (["NKUL_LOG_FORMAT": "json"], file + "-missing", .json),
        ] {
            let found = await ServiceMain<SampleConfiguration>.logFormat(environment, file)
            #expect(found == format)
            let line = program.complaint(error, in: found)
            switch format {
            case .text: #expect(line == "nkul-ingest: no")
            case .json: #expect(line.contains(#""label":"ingest","level":"error","message":"no""#))
            }
        }
    }

    @Test func `arguments are understood`() throws {
        let arguments = try ServiceArguments(["--config", "a.json", "--dump"], actions: ["--dump"])
        #expect(arguments.config == "a.json" && arguments.action == "--dump")
        #expect(try ServiceArguments(["--config=b.json"], actions: []).config == "b.json")
    }

    @Test func `help fits 80 columns but for names and values that cannot be broken`() throws {
        let long = "prints " + String(repeating: "what there is to say ", count: 12)
        let text = try ServiceHelp.text(
            .ingest, long, [("--dump", long), ("--verify", "checks")], SampleConfiguration.self)
        for line in text.split(separator: "\n") where !line.hasPrefix("  NKUL_") {
            #expect(line.count <= 80, "\(line)")
        }
        #expect(text.contains("  --help                this text\n"))
    }

    @Test func `help lists every setting with default and range`() throws {
        let text = try ServiceHelp.text(.ingest, "A sample.", [("--dump", "prints")], SampleConfiguration.self)
        for part in ["NKUL_INGEST_ROWS=10", "1…100 rows", "NKUL_HOME=./var", "NKUL_TIME_ZONE=Africa/Douala", "--dump"] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a service that ends leaves neither record nor lock`() async throws {
        let home = Home(path: directory.path)
        try await program { host in
            while ServiceRecord.ofRunning(.ingest, in: home) == nil { await Task.yield() }
            host.stop.stop()
            try await host.serve()
        }.perform(try none, environment: environment())
        #expect(!FileManager.default.fileExists(atPath: home.recordFile(of: .ingest)))
        #expect(!HomeLock.isHeld(home, of: .ingest))
    }

    @Test(.timeLimit(.minutes(1)))
    func `a home that another process owns is refused before anything is built`() async throws {
        let home = Home(path: directory.path)
        try home.prepare()
        let lock = try HomeLock(home, of: .ingest)
        await #expect {
            try await program { _ in Issue.record("was built") }.perform(try none, environment: environment())
        } throws: { error in
            "\(error)".contains("owns the home \(home.path)") && (error as? ServiceError)?.exitCode == 1
        }
        withExtendedLifetime(lock) {}
    }

    @Test(.timeLimit(.minutes(1)))
    func `wrong settings are refused before the home is touched`() async throws {
        let path = directory.path + "/untouched"
        await #expect {
            try await program { _ in }.perform(
                try none, environment: environment(["NKUL_HOME": path, "NKUL_INGEST_ROWS": "0"]))
        } throws: { error in
            (error as? ServiceError)?.exitCode == 2
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(.timeLimit(.minutes(1)))
    func `a service that hangs is cancelled, so that the program ends`() async throws {
        let home = Home(path: directory.path)
        try home.prepare()
        let host = ServiceHost(.ingest, home: home, logger: Log.logger("test", level: "critical"))
        let hanging = Sample {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            for await _ in stream {}
            withExtendedLifetime(continuation) {}
        }
        let ending = Sample {}
        try await ServiceRunner(host: host, graceful: .milliseconds(1), limit: .seconds(600)).run([hanging, ending])
    }

    @Test(.timeLimit(.minutes(1)))
    func `the error of a service is what the program ends with`() async throws {
        await #expect(throws: ServiceError(.failed, "the disk is full")) {
            try await program { _ in throw ServiceError(.failed, "the disk is full") }
                .perform(try none, environment: environment())
        }
    }
}
