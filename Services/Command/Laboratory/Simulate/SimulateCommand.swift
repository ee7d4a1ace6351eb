package import ArgumentParser
import CommandSupport
import Foundation
import Models
import ServiceKit

/// `nkul simulate`: a recording made by phones that live in Cameroonian towns.
package struct SimulateCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Makes a recording of simulated phones; the same seed, the same bytes.",
        discussion: """
            Phones have homes, work, ways through and between towns, one or two SIMs, hours without data, sometimes a wrong \
            clock or a false position. Base stations, radio, load and what people feel follow the models in \
            docs/simulation.md; operators' codes and towns are real, everything else is invented.

            --faults gives a JSON file: {"faults": [{"kind": "outage", "plmn": "62402", "area": {"town": "Douala", \
            "radius_km": 4}, "from": 21, "to": 22}]}; kind is outage, congestion (load), clock (devices, \
            drift_seconds_per_hour) or farm (devices, rating); from and to are RFC 3339 or hours after the start. Beside the \
            recording FILE.truth.json says what was wrong where and when.
            """)

    @Option(name: .long, help: "Phones (those of farms are added).") var devices: Int

    @Option(name: .long, help: "How long, in hours.") var hours: Double

    @Option(name: .long, help: "Other seed, other people, networks and chance.") var seed: UInt64

    @Option(name: .shortAndLong, help: "The recording to write (gzip CSV).") var output: String

    @Flag(name: .long, help: "Put it in the place of a file that is there already.") var force = false

    @Option(name: .long, help: "RFC 3339.") var start = "2026-03-02T00:00:00+01:00"

    @Option(name: .long, help: "Scripted faults (JSON).") var faults: String?

    @Option(name: .long, help: "Towns, separated by commas (default: all that are known).") var towns: String?

    @Option(name: .long, help: "Minutes between two reports of a phone by day.") var interval: Double = 10

    @Flag(name: .long, help: "Figures as one line of JSON.") var json = false

    package init() {}

    package func validate() throws {
        guard (1...1_000_000).contains(devices) else {
            throw ValidationError("--devices \(devices): expected 1…1000000")
        }
        guard hours > 0, hours <= 1_000 else { throw ValidationError("--hours \(hours): expected above 0, up to 1000") }
        guard (1...240).contains(interval) else { throw ValidationError("--interval \(interval): expected 1…240") }
        guard Timestamp.milliseconds(start) != nil else {
            throw ValidationError("--start \(start): expected a time such as 2026-03-02T00:00:00+01:00")
        }
        for name in townNames where !Town.cameroon.contains(where: { $0.name == name }) {
            let known = Town.cameroon.map(\.name).joined(separator: ", ")
            throw ValidationError("--towns: \"\(name)\" is none of \(known)")
        }
    }

    package func run() throws {
        for path in [output, SimulationSummary.truth(of: output)] {
            try OutputFile.check(path, inputs: faults.map { [$0] } ?? [], isReplacing: force)
        }
        let begin = Timestamp.milliseconds(start) ?? 0
        let settings = SimulationSettings(
            devices: devices, seed: seed, start: begin, end: begin + Int64((hours * 3_600_000).rounded()),
            interval: interval)
        let map = SimulatedMap(Town.cameroon.filter { townNames.isEmpty || townNames.contains($0.name) })
        let script = try faults.map { try FaultScript.read($0, map, start: begin) } ?? []
        var simulation = Simulation(SimulatedWorld(settings, map: map, faults: script))
        let summary = try write(&simulation)
        print(json ? summary.json : summary.text)
    }

    private func write(_ simulation: inout Simulation) throws -> SimulationSummary {
        var summary = SimulationSummary(recording: output, simulation.world)
        let truth = try DraftFile(summary.truth, isReplacing: true)
        let writer = try RecordingWriter(path: output, notes: notes(simulation.world), isDelayed: true)
        var progress = SimulateProgress(simulation.world.settings)
        while let row = simulation.next() {
            try writer.append(row)
            summary.count(row)
            progress.reached(row.due, rows: writer.rowCount)
        }
        progress.end()
        try writer.complete()
        try truth.write(Array(simulation.truth.json()))
        try truth.sync()
        // Both are on disk before either appears.
        try truth.publish()
        try writer.publish()
        (summary.cut, summary.unsent) = (simulation.cut, simulation.unsent)
        return summary
    }

    private func notes(_ world: SimulatedWorld) -> RecordingNotes {
        RecordingNotes([
            "made_by": "nkul simulate \(Version.text)", "real": "nothing but towns and operators' codes",
            "simulated": "everything", "seed": "\(seed)", "devices": "\(devices)", "start": start,
            "hours": DecimalText.text(Int64((hours * 1_000).rounded()), scale: 1_000),
            "towns": world.map.towns.map(\.town.name).joined(separator: " "), "faults": "\(world.faults.count)",
        ])
    }

    private var townNames: [String] { towns?.split(separator: ",").map(String.init) ?? [] }
}

/// How far a simulation is, on stderr: one line that is written again on a terminal, a line every quarter elsewhere.
struct SimulateProgress {
    private let settings: SimulationSettings
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var told = 0

    init(_ settings: SimulationSettings) { self.settings = settings }

    mutating func reached(_ time: UnixMilliseconds, rows: Int) {
        let percent = Int((time - settings.start) * 100 / (settings.end - settings.start))
        guard percent >= told + (isTerminal ? 1 : 25) else { return }
        told = percent
        write(isTerminal ? "\r\(percent) %  \(rows) rows\u{1B}[K" : "simulate: \(percent) %, \(rows) rows\n")
    }

    func end() {
        if isTerminal { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
