package import ArgumentParser
import CommandSupport
import Foundation
import Models
import ServiceKit
import UnixSignals

/// `nkul replay`: plays recordings against the device API.
package struct ReplayCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Plays recordings against the device API as N phones.",
        discussion: """
            The recording's end becomes the moment it is first played. Tokens of the phones, that shift and how far a run \
            came are kept in NKUL_HOME/replay: the same recording played again adds nothing, an interrupted run goes on. A \
            phone gathers up to 100 rows for up to a minute of the recording; urgent rows go at once. 429, 503 and lost \
            connections are tried again; if nobody answers, that is said at once, and the run ends after \
            \(Self.seconds(ReplaySender.firstPatience)) s. Latency counts from when an upload was due, whatever the service does \
            meanwhile.

            --devices N above the number of recorded devices plays them again by further phones; below, phones share them. \
            --loop plays the rows again and again as new ones.

            --clock takes the services with it: their clocks go back to the recording's beginning and run at its pace, so \
            that rows are received when they were captured; at the end or after Ctrl-C they are the system's again. All \
            services of NKUL_SERVICES must run with NKUL_CLOCK=recording. A day in two minutes: nkul replay DAY --clock \
            --speed 720
            """)

    @Argument(help: "Recordings.") var files: [String]

    @Option(name: .long, help: "Times the recording's own pace.") var speed: Double?

    @Flag(name: .long, help: "As fast as the service takes them.") var max = false

    @Option(name: .long, help: "Number of phones (default: as many as the recording has).") var devices: Int?

    @Flag(name: .long, help: "The services' clocks follow the recording (they need NKUL_CLOCK=recording).")
    var clock = false

    @Flag(name: .long, help: "Begin again at the end, as new rows, until Ctrl-C.") var loop = false

    @Option(
        name: .long, help: "The device API, http:// or https:// (default: ingest of this home, by TLS if it has it).")
    var url: String?

    @Option(name: .long, help: "Over https, PEM file of those whose certificates are trusted (default: the system's).")
    var ca: String?

    @Option(name: .long, help: "HTTP connections.") var connections = 16

    @Flag(name: .long, help: "Figures as one line of JSON.") var json = false

    @OptionGroup var options: CommandSettings

    package init() {}

    package func validate() throws {
        guard !files.isEmpty else { throw ValidationError("give at least one recording") }
        guard speed == nil || !max else { throw ValidationError("--speed and --max exclude each other") }
        guard !clock || !max else {
            throw ValidationError("--clock needs a pace that clocks can follow: --speed instead of --max")
        }
        guard speed ?? 1 <= RecordingTime.speeds.upperBound || !clock else {
            throw ValidationError("--speed \(speed ?? 0): with --clock at most \(Int(RecordingTime.speeds.upperBound))")
        }
        guard speed ?? 1 > 0 else { throw ValidationError("--speed \(speed ?? 0): expected a number above 0") }
        guard (1...10_000_000).contains(devices ?? 1) else { throw ValidationError("--devices: expected 1…10000000") }
        guard (1...1_024).contains(connections) else { throw ValidationError("--connections: expected 1…1024") }
    }

    package func run() async throws {
        let common = try await options.common()
        let clock = clock ? ReplayClock(try UpSettings(await options.load()).services, in: common.home) : nil
        try await clock?.check()
        let plays = try files.map { try play($0, home: common.home) }
        guard Set(plays.map(\.survey.sha256)).count == plays.count else {
            throw ServiceError(.usage, "the same recording is given twice")
        }
        let sender = try ReplaySender(
            target: try await ReplayTarget.named(url, options, common), authorities: ca, connections: connections,
            run: Self.runName(),
            say: { FileHandle.standardError.write(Data("nkul replay: \($0)\n".utf8)) })
        let run = ReplayRun(
            plays, home: common.home, sender: sender, connections: connections, speed: max ? nil : speed ?? 1,
            isLooping: loop, now: Self.now, clock: clock)
        do {
            try await finish(run, plays, sender)
        } catch {
            await release(clock)
            throw error
        }
        await release(clock)
    }

    /// The run's error, if there was one, is what ends the program; that a clock could not be set back is said beside it.
    private func release(_ clock: ReplayClock?) async {
        do { try await clock?.release() } catch {
            FileHandle.standardError.write(Data("nkul: \(error)\n".utf8))
        }
    }

    private func finish(_ run: sending ReplayRun, _ plays: [ReplayPlay], _ sender: ReplaySender) async throws {
        let phones = plays.reduce(0) { $0 + $1.cast.phones.count }
        let rows = plays.reduce(0) { sum, play in
            sum
                + play.survey.devices.indices.reduce(0) {
                    $0 + play.survey.devices[$1].rows * play.cast.players[$1].count
                }
        }
        let bar = Task { await ReplayProgressBar(total: rows, tally: sender.tally).run() }
        let start = ContinuousClock.now
        let wasInterrupted = try await Interruption.watching(sender.pool) {
            try await run.run()
        } finally: {
            bar.cancel()
            await bar.value
        }
        let elapsed = (ContinuousClock.now - start).components
        await sender.pool.shutdown()
        let summary = ReplaySummary(
            recordings: files, phones: phones, counts: sender.tally.current,
            seconds: Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18, interrupted: wasInterrupted)
        print(json ? summary.json : summary.text)
        if wasInterrupted { throw ExitCode(1) }
    }

    private func play(_ path: String, home: Home) throws -> ReplayPlay {
        let survey = try RecordingSurvey(path: path)
        for (column, cells) in survey.passedOver.sorted(by: { $0.key < $1.key }) {
            let note =
                "nkul: \(path): \(cells) values of column \(column) are not sent: their rows have no such field\n"
            FileHandle.standardError.write(Data(note.utf8))
        }
        var state = try ReplayState.load(survey.sha256, in: home) ?? ReplayState(survey, now: Self.now())
        state.begin(isLooping: loop, end: survey.end, now: Self.now())
        return ReplayPlay(survey: survey, cast: ReplayCast(survey.devices, phones: devices), state: state)
    }

    private static func seconds(_ duration: Duration) -> Int64 { duration.components.seconds }

    private static func now() -> UnixMilliseconds { SystemTime.unixMilliseconds() }

    private static func runName() -> String { String(UInt64.random(in: .min ... .max), radix: 36) }
}
