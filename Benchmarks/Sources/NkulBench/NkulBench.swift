import ArgumentParser
import Foundation

/// `nkul-bench`: measures the services as they are shipped.
@main
struct NkulBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nkul-bench", abstract: "Measures the six services under the load their figures are promised for."
    )

    @Flag(name: .long, help: "Nothing but JSON on stdout.") var json = false

    @Flag(
        name: .long,
        help: "Each promised figure and its bar on stderr; exits with 1 if a part that was run misses or lacks one.")
    var check = false

    @Option(name: .long, help: "Seconds that a run is meant to take, about.") var seconds = 10

    @Option(name: .long, help: "Directory of the services' programs.") var bin = "../.build/release"

    @Option(name: .long, help: "Where to make the home (a short path on the disk to be measured).") var directory =
        "/tmp"

    @Option(name: .long, help: "Devices to enrol.") var devices = 50_000

    @Option(name: .long, help: "Level-16 cells that reports come from, each with four operators.") var cells = 5_000

    @Option(name: .long, help: "Reports that are stored when erasure is measured.") var storedReports = 2_000_000

    @Option(name: .long, help: "Reports of the year that the exporter answers from.") var yearReports = 100_000_000

    @Option(name: .long, help: "Level-16 cells of that year, each with four operators; 5000 take over ten minutes.")
    var yearCells = 500

    @Option(name: .long, help: "Pairs of runs, without an erasure and beside one, at each of the two loads.")
    var erasurePairs = 6

    @Option(name: .long, parsing: .upToNextOption, help: "Only these parts: \(BenchPart.names).") var only:
        [BenchPart] =
            BenchPart.allCases

    @Option(name: .long, help: .hidden) var serveHello: Int?

    @Option(name: .long, help: .hidden) var writeLane: String?

    func validate() throws {
        guard (1...600).contains(seconds) else { throw ValidationError("--seconds: expected 1…600") }
        guard (1...1_000_000_000).contains(storedReports) else {
            throw ValidationError("--stored-reports: expected 1…1000000000")
        }
        guard (1...10_000_000_000).contains(yearReports) else {
            throw ValidationError("--year-reports: expected 1…10000000000")
        }
        guard (1...90_000).contains(yearCells) else { throw ValidationError("--year-cells: expected 1…90000") }
        guard (1...40).contains(erasurePairs) else { throw ValidationError("--erasure-pairs: expected 1…40") }
        guard (200...1_000_000).contains(devices) else { throw ValidationError("--devices: expected 200…1000000") }
        // More would reach the places of the alerts.
        guard (1...90_000).contains(cells) else { throw ValidationError("--cells: expected 1…90000") }
    }

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        if serveHello != nil { return try await HelloServer.run() }
        if let writeLane { return try LaneWriter.run(home: writeLane) }
        let bench = BenchRun(
            seconds: seconds, bin: bin, directory: directory, devices: devices, cells: cells,
            storedReports: storedReports, yearReports: yearReports, yearCells: yearCells, erasurePairs: erasurePairs,
            parts: Set(only))
        let result = try await bench.run()
        print(json ? result.json : result.text)
        guard check else { return }
        let bars = Bar.all(result, parts: bench.parts)
        for bar in bars { bench.say(bar.text) }
        if bars.contains(where: \.isFailure) { throw ExitCode(1) }
    }
}
